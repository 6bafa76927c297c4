"""Languages other than English: lemmas, forms, what stands before a word, and whole runs.

Lemmas and forms are held against simplemma's dictionary, against Lexique (where it is at hand) and
against lists written here after school grammars.
"""

from __future__ import annotations

import json
import lzma
from collections import defaultdict
from pathlib import Path

import pytest

import lexsub
from lexsub.candidates.distributional.lemmas import OneLemma
from lexsub.candidates.thesaurus_file import ThesaurusFile
from lexsub.cli import main
from lexsub.data.catalogue import load
from lexsub.datasets import Item, Lexelt
from lexsub.errors import LexsubError, MissingResourceError
from lexsub.frequency import FREQUENCIES
from lexsub.languages import LANGUAGES, language_of
from lexsub.languages.dictionary import SimplemmaLemmas
from lexsub.languages.french import nominal, verbs
from lexsub.languages.french.entry import OPPOSITES, FrenchLemmas
from lexsub.languages.french.nominal import has_elision
from lexsub.marked_sentences import Marked, parse_marked
from lexsub.matching.policies import policy_for
from lexsub.rankers.filling import fill_all
from lexsub.rankers.lm.header import LmHeader
from lexsub.rankers.lm.ranker import fill_slot
from lexsub.rankings import Candidate
from lexsub.resources import Resources

simplemma = pytest.importorskip("simplemma")


def item(sentence: str, lemma: str, pos: str) -> Item:
    found = parse_marked(sentence)
    return Item("1", Lexelt(lemma, pos, pos), found.text, found.start, found.end)


def filled(sentence: str, lexelt: str, substitute: str, language: str) -> tuple[str, bool]:
    lemma, pos = lexelt.rsplit(".", 1)
    [found] = fill_all(item(sentence, lemma, pos), [substitute], language=language)
    return found.text, found.lemma


@pytest.mark.parametrize(
    ("language", "form", "pos", "lemma"),
    [
        ("fr", "claires", "a", "clair"), ("fr", "claire", "a", "clair"),
        ("fr", "mangeaient", "v", "manger"), ("fr", "Claires", "a", "clair"),
        ("fr", "marches", "n", "marche"), ("fr", "marche", "v", "marcher"),
        ("fr", "chevaux", "n", "cheval"), ("fr", "pomme de terre", "n", "pomme de terre"),
        ("de", "Häuser", "n", "Haus"), ("de", "häuser", "n", "Haus"), ("de", "ging", "v", "gehen"),
        ("de", "schönen", "a", "schön"),
    ],
)  # fmt: skip
def test_lemmas(language: str, form: str, pos: str, lemma: str) -> None:
    assert language_of(language).lemmatiser(Resources()).lemma(form, pos) == lemma


def test_lemmas_are_those_of_simplemma_where_it_knows_no_better() -> None:
    words = [
        "belles",
        "yeux",
        "travaux",
        "grandes",
        "heureuse",
        "finissait",
        "prendrait",
        "anciennes",
        "tables",
    ]
    for language in ("fr", "it"):
        lemmatiser = language_of(language).lemmatiser(Resources())
        assert lemmatiser.name == f"simplemma-{simplemma.__version__}"
        for word in words:
            assert lemmatiser.lemma(word, "") == simplemma.lemmatize(word, lang=language)


def test_a_language_without_an_entry_has_lemmas_and_no_forms() -> None:
    italian = language_of("it")
    case = item("Le acque *chiare*.", "chiaro", "a")
    assert italian.inflect("limpido", "a", italian.form_of(case)) is None
    assert filled("Le acque *chiare*.", "chiaro.a", "limpido", "it") == ("Le acque limpido.", True)
    with pytest.raises(LexsubError, match="no lemmatiser of language 'xx'"):
        language_of("xx").lemmatiser(Resources())
    with pytest.raises(LexsubError, match="expected a code as 'en'"):
        language_of("French")


PLURALS = """chat chats|nez nez|voix voix|cheval chevaux|bal bals|festival festivals
journal journaux|travail travaux|détail détails
vitrail vitraux|bijou bijoux|clou clous|genou genoux|feu feux
pneu pneus|eau eaux|noyau noyaux|œil yeux|ciel cieux|monsieur messieurs|prix prix|pays pays"""


@pytest.mark.parametrize("pair", PLURALS.replace("\n", "|").split("|"))
def test_plurals_as_grammars_have_them(pair: str) -> None:
    singular, plural = pair.split()
    assert nominal.plural(singular) == plural


ADJECTIVES = """clair claire clairs claires|heureux heureuse heureux heureuses
beau belle beaux belles|national nationale nationaux nationales
vif vive vifs vives|léger légère légers légères
cruel cruelle cruels cruelles|ancien ancienne anciens anciennes|bon bonne bons bonnes
net nette nets nettes|complet complète complets complètes|public publique publics publiques
blanc blanche blancs blanches|doux douce doux douces|gris grise gris grises|gros grosse gros grosses
rapide rapide rapides rapides|menteur menteuse menteurs menteuses
créateur créatrice créateurs créatrices|supérieur supérieure supérieurs supérieures
long longue longs longues|nouveau nouvelle nouveaux nouvelles|favori favorite favoris favorites"""


@pytest.mark.parametrize("row", ADJECTIVES.replace("\n", "|").split("|"))
def test_adjectives_as_grammars_have_them(row: str) -> None:
    assert list(nominal.forms(row.split()[0]).values()) == row.split()


@pytest.mark.data
def test_forms_are_those_of_lexique(data_dir: Path) -> None:
    """Of what is formed nearly all must be as Lexique has it; what is not known is None."""
    path = data_dir / "lexique_fr" / "Lexique383.txt.xz"
    if not path.is_file():
        pytest.skip("no Lexique in the data folder")
    plurals: dict[str, set[str]] = defaultdict(set)
    feminines: dict[str, set[str]] = defaultdict(set)
    spoken: dict[tuple[str, str], set[str]] = defaultdict(set)
    names = {"ind:imp:3p": "imperfect 3p", "ind:pre:3p": "present 3p", "ind:fut:3s": "future 3s",
             "cnd:pre:3s": "conditional 3s", "ind:pas:3s": "past 3s", "par:pre": "participle",
             "ind:pre:3s": "present 3s"}  # fmt: skip
    lines = lzma.decompress(path.read_bytes()).decode("cp1252").splitlines()
    for line in lines[1:]:
        form, _, lemma, kind, gender, number, *rest = line.split("\t")
        if not lemma.isalpha():
            continue
        if kind == "NOM" and number == "p":
            plurals[lemma].add(form)
        if kind == "ADJ" and gender == "f" and number == "s":
            feminines[lemma].add(form)
        for mark in rest[4].strip('"').split(";"):
            if kind == "VER" and mark in names:
                spoken[lemma, names[mark]].add(form)
    wrong = [one for one, forms in plurals.items() if nominal.plural(one) not in forms]
    assert len(wrong) < 0.02 * len(plurals)
    wrong = [one for one, forms in feminines.items() if nominal.feminine(one) not in forms]
    assert len(wrong) < 0.02 * len(feminines)
    made = {key: verbs.inflect(*key) for key in spoken}
    known = {key: form for key, form in made.items() if form is not None}
    assert len(known) > 0.8 * len(made)
    assert sum(form not in spoken[key] for key, form in known.items()) < 0.005 * len(known)


@pytest.mark.parametrize(
    ("sentence", "lexelt", "substitute", "expected"),
    [
        ("Les eaux *claires* coulaient.", "clair.a", "lumineux", "Les eaux lumineuses coulaient."),
        ("Une nuit *pâle*.", "pâle.a", "clair", "Une nuit claire."),
        ("Un ciel *pâle*.", "pâle.a", "blanc", "Un ciel blanc."),
        ("Les *chevaux* dorment.", "cheval.n", "animal", "Les animaux dorment."),
        ("Trois *souris*.", "souris.n", "rat", "Trois rats."),
        ("Ils *mangeaient*.", "manger.v", "dévorer", "Ils dévoraient."),
        ("Ils *mangeaient*.", "manger.v", "prendre", "Ils prenaient."),
        ("Ils *mangeaient*.", "manger.v", "se nourrir", "Ils se nourrissaient."),
        ("Elle *mangera*.", "manger.v", "finir", "Elle finira."),
        ("Elle *finit*.", "finir.v", "terminer", "Elle termine."),
        ("La lettre est *écrite*.", "écrire.v", "rédiger", "La lettre est rédigée."),
        ("Il boit de l'*eau*.", "eau.n", "vin", "Il boit du vin."),
        ("J'aime l'*ami* de Paul.", "ami.n", "copain", "J'aime le copain de Paul."),
        ("Je vois l'*eau*.", "eau.n", "rivière", "Je vois la rivière."),
        ("Le *chat* dort.", "chat.n", "animal", "L'animal dort."),
        ("Il boit du *vin*.", "vin.n", "alcool", "Il boit de l'alcool."),
        ("Un peu de *vin*.", "vin.n", "alcool", "Un peu d'alcool."),
        ("Le *chat* dort.", "chat.n", "héros", "Le héros dort."),
        ("Il faut que *Paul* parte.", "Paul.n", "Anne", "Il faut qu'Anne parte."),
        ("L’*ami* vient.", "ami.n", "copain", "Le copain vient."),
        ("Ce *garçon* vient.", "garçon.n", "ami", "Cet ami vient."),
        ("Ma *copine* vient.", "copine.n", "amie", "Mon amie vient."),
        ("*Claires*, les eaux.", "clair.a", "net", "Nettes, les eaux."),
    ],
)  # fmt: skip
def test_french_substitutes_in_their_sentence(
    sentence: str, lexelt: str, substitute: str, expected: str
) -> None:
    assert filled(sentence, lexelt, substitute, "fr") == (expected, False)


@pytest.mark.parametrize(
    ("sentence", "lexelt", "substitute"),
    [
        ("Qu'ils *mangeassent*.", "manger.v", "finir"),
        ("Les *amis* viennent.", "ami.n", "chef-d'œuvre"),
        ("Ses *pâles* X.", "pâle.a", "clair"),
    ],
)
def test_a_form_that_is_not_known_is_the_lemma_and_said_to_be(
    sentence: str, lexelt: str, substitute: str
) -> None:
    text, lemma = filled(sentence, lexelt, substitute, "fr")
    assert lemma
    assert substitute in text


def test_elision_by_the_sound() -> None:
    silent = [
        "eau",
        "homme",
        "habit",
        "heure",
        "héroïne",
        "histoire",
        "hôtel",
        "huile",
        "humeur",
        "hygiène",
        "oie",
        "yeux",
    ]
    spoken = [
        "chat",
        "hache",
        "hameau",
        "haricot",
        "hasard",
        "héros",
        "hibou",
        "honte",
        "huit",
        "hutte",
        "onze",
        "oui",
        "yaourt",
    ]
    assert [word for word in silent if not has_elision(word)] == []
    assert [word for word in spoken if has_elision(word)] == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Les eaux *claires* coulaient.", "clair.a"),
        ("Les enfants *mangeaient* du pain.", "manger.v"),
        ("Il est très *pâle*.", "pâle.a"),
        ("Le *marché* était vide.", "marché.n"),
        ("Elle marche *lentement*.", "lentement.r"),
        ("Une *jeune* fille.", "jeune.a"),
    ],
)
def test_french_guesses(sentence: str, expected: str) -> None:
    french = LANGUAGES["fr"]
    found = french.lexelts(parse_marked(sentence), french.lemmatiser(Resources()))
    assert str(found[0]) == expected


@pytest.mark.parametrize(
    ("sentence", "lexelt", "substitute", "expected"),
    [
        ("Die *Häuser* sind alt.", "Haus.n", "gebäude", "Die Gebäude sind alt."),
        ("In den *Häusern* ist Licht.", "Haus.n", "Hütte", "In den Hütten ist Licht."),
        ("In den *Häusern* ist Licht.", "Haus.n", "Turm", "In den Türmen ist Licht."),
        ("Das Dach des *Hauses*.", "Haus.n", "Turm", "Das Dach des Turmes."),
        ("Die *Kinder* spielen.", "Kind.n", "Sohn", "Die Söhne spielen."),
        ("Das *Haus* ist alt.", "Haus.n", "gebäude", "Das Gebäude ist alt."),
        ("Zwei *Häuser*.", "Haus.n", "Auto", "Zwei Autos."),
        ("Die *schönen* Tage.", "schön.a", "herrlich", "Die herrlichen Tage."),
        ("Ein *schönerer* Tag.", "schön.a", "warm", "Ein wärmerer Tag."),
        ("Er *machte* es.", "machen.v", "sagen", "Er sagte es."),
        ("Er hat es *gemacht*.", "machen.v", "erzählen", "Er hat es erzählt."),
    ],
)
def test_german_substitutes_in_their_sentence(
    sentence: str, lexelt: str, substitute: str, expected: str
) -> None:
    assert filled(sentence, lexelt, substitute, "de") == (expected, False)


def test_german_strong_verbs_stay_lemmas() -> None:
    assert filled("Die *Häuser*.", "Haus.n", "Bau", "de") == ("Die Bau.", True)
    assert filled("Er *machte* es.", "machen.v", "lassen", "de") == ("Er lassen es.", True)


def test_german_forms_are_words_of_the_dictionary() -> None:
    german = LANGUAGES["de"]
    for lemma, pos in (("Haus", "n"), ("Mutter", "n"), ("klug", "a"), ("arbeiten", "v")):
        forms = german.all_forms(lemma, pos)
        assert len(forms) > 2
        assert {SimplemmaLemmas("de").lemma(form, pos) for form in forms} == {lemma}


def test_a_language_model_is_asked_for_elided_words() -> None:
    case = item("Un peu de *vin* rouge.", "vin", "n")
    header = LmHeader("backoff", 3, language="fr")
    slot = fill_slot(case, [Candidate("eau"), Candidate("lait")], header)
    assert list(slot.texts) == ["d ' eau rouge .", "peu de lait rouge ."]
    english = fill_slot(case, [Candidate("eau")], LmHeader("backoff", 3))
    assert list(english.texts) == ["peu de eau rouge ."]


def test_words_written_as_one_are_parted() -> None:
    parted = LANGUAGES["fr"].split_elided("l'eau d’Anne, aujourd'hui")
    assert parted == "l' eau d’ Anne, aujourd'hui"
    assert LANGUAGES["en"].split_elided("it's l'eau") == "it's l'eau"


def test_forms_of_a_text_stand_for_their_lemma() -> None:
    lemmatiser = LANGUAGES["fr"].lemmatiser(Resources())
    analysis = OneLemma(lambda form: lemmatiser.lemma(form, ""))
    assert analysis.of("claires") == (("*", "clair"),)
    assert analysis.of("eaux") == (("*", "eau"),)


def test_the_usual_frequency_list_is_the_language_s() -> None:
    pytest.importorskip("wordfreq")
    import wordfreq

    french = FREQUENCIES["language"].open(Resources(language="fr"))
    assert french.frequency("manger", "v") == wordfreq.word_frequency("manger", "fr") > 0
    with pytest.raises(LexsubError, match="no list of language 'xx'"):
        FREQUENCIES["wordfreq"].open(Resources(language="xx"))


THESAURUS = """UTF-8
clair|1
(Adjectif)|lumineux|net|limpide
manger|1
(Verbe)|dévorer|avaler|prendre
"""
ROWS = """sentence,pos,substitutes
Les eaux *claires* coulaient.,a,limpide 3; net 1
Les enfants *mangeaient* du pain.,v,dévorer 2; avaler 1
"""
CONFIG = """name = "mine"
data = "mine.csv"
language = "fr"
[resources]
words = "thes.dat"
[[systems]]
name = "thesaurus"
candidates = { name = "thesaurus-file", file = "words", format = "mythes" }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (("thes.dat", THESAURUS), ("mine.csv", ROWS), ("fr.toml", CONFIG)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_french_file_and_thesaurus_through_a_run(folder: Path) -> None:
    result = lexsub.run("./fr.toml", folder / "out")
    assert [str(one.lexelt) for one in result.data.items] == ["clair.a", "manger.v"]
    assert (folder / "out" / "thesaurus.oot").read_text(encoding="utf-8").splitlines() == [
        "clair.a 1 ::: lumineux;net;limpide", "manger.v 2 ::: dévorer;avaler;prendre"
    ]  # fmt: skip
    assert result.data.gold.language == "fr"


def test_a_french_sentence_from_python(folder: Path) -> None:
    suggester = lexsub.open_suggester("./fr.toml")
    found = [one.sentence for one in suggester("Les enfants *mangeaient* du pain.")]
    assert found == [
        f"Les enfants {verb} du pain." for verb in ("dévoraient", "avalaient", "prenaient")
    ]


def test_opposites_are_not_suggested_and_shared_words_come_first(folder: Path) -> None:
    (folder / "thes.dat").write_text(
        "UTF-8\nacheter|1\n(Verbe)|vendre|payer|acquérir|obtenir\nvendre|1\n(Verbe)|acheter\n"
        "acquérir|1\n(Verbe)|obtenir|payer\nobtenir|1\n(Verbe)|acquérir\n",
        encoding="utf-8",
    )
    suggester = lexsub.open_suggester("./fr.toml")
    assert suggester.blind
    found = suggester("Elle a *acheté* une voiture.")
    assert [one.form for one in found] == ["payé", "acquis", "obtenu"]
    text = (folder / "fr.toml").read_text(encoding="utf-8")
    (folder / "fr.toml").write_text(
        text.replace('"mythes" }', '"mythes", shared = true }'), encoding="utf-8"
    )
    # With acheter's own words acquérir shares three, obtenir two, payer one.
    found = lexsub.open_suggester("./fr.toml")("Elle a *acheté* une voiture.")
    assert [one.form for one in found] == ["acquis", "obtenu", "payé"]


def test_opposites_are_words_of_the_dictionary() -> None:
    lemmas = FrenchLemmas()
    for word, others in OPPOSITES.items():
        assert word in {lemmas.lemma(word, pos) for pos in "nvar"}, word
        assert all(word in OPPOSITES[other] for other in others)


def test_an_elided_word_is_not_the_target_s(folder: Path) -> None:
    (folder / "thes.dat").write_text("UTF-8\nami|1\n(Nom)|copain\n", encoding="utf-8")
    suggester = lexsub.open_suggester("./fr.toml")
    for sentence, form, whole in (
        ("*L'ami* de Paul vient.", "Le copain", "Le copain de Paul vient."),
        ("La main de *l’ami*.", "copain", "La main du copain."),
    ):
        found = suggester(sentence, n=1)
        assert (str(found.lexelt), found.best[0].form) == ("ami.n", form)
        assert found.best[0].sentence == whole
    assert suggester("Il vient *aujourd'hui*.").note.startswith("looked for aujourd'hui.")


def test_a_target_is_found_in_its_plain_spelling(folder: Path) -> None:
    (folder / "thes.dat").write_text("UTF-8\noeuvre|1\n(Nom)|ouvrage\n", encoding="utf-8")
    (folder / "de.dat").write_text("UTF-8\nStrasse|1\n(Substantiv)|Weg\n", encoding="utf-8")
    for language, file, sentence, lexelt in (
        ("fr", "thes.dat", "Son *œuvre* reste.", "œuvre.n"),
        ("de", "de.dat", "Die *Straße* ist lang.", "Straße.n"),
    ):
        source = ThesaurusFile(file, "mythes").open(Resources(language=language))
        lemma, pos = lexelt.split(".")
        assert len(source.candidates(item(sentence, lemma, pos))) == 1


def test_commands_take_the_language_of_a_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def call(*arguments: str) -> str:
        with pytest.raises(SystemExit) as caught:
            main(list(arguments))
        assert caught.value.code == 0
        return capsys.readouterr().out

    assert "1 clair.a [claires]" in call("data", "check", "mine.csv", "--language", "fr")
    (folder / "a.oot").write_text("clair.a 1 ::: limpides\n", encoding="utf-8")
    out = call(
        "score", "mine.csv", "a.oot", "--language", "fr", "--normalisation", "lemma", "--json"
    )
    assert f"lemma(simplemma-{simplemma.__version__})" in out
    resource = ["--resource", "thesaurus=thes.dat"]
    out = call("suggest", "--language", "fr", "--json", *resource, "Une eau *claire*.")
    forms = [one["form"] for one in json.loads(out)["suggestions"]]
    assert sorted(forms) == ["limpide", "lumineuse", "nette"]


def test_a_language_that_is_not_the_data_s_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(LexsubError, match=r"tutorial/test is in language 'en', and 'fr'"):
        load("tutorial/test", (), "fr")
    with pytest.raises(LexsubError, match="no ready config is for language 'it'"):
        lexsub.open_suggester(language="it")
    with pytest.raises(MissingResourceError):
        lexsub.open_suggester(language="de", data=tmp_path)


def test_the_lemma_policy_is_the_gold_s_language_s(folder: Path) -> None:
    gold = load("mine.csv", (), "fr").gold
    policy = policy_for(gold, "lemma")
    assert policy.answers(gold.items["1"], ["Limpides", "nettes", "claires"]) == ["limpide", "net"]


def test_a_model_is_of_the_config_s_language(folder: Path) -> None:
    from lexsub.experiments.config.reading import read_experiment

    text = CONFIG + '[models.lm]\nkind = "lm"\ncorpus = ["x.txt"]\n'
    (folder / "lm.toml").write_text(text, encoding="utf-8")
    builder = read_experiment(folder / "lm.toml").models["lm"]
    assert builder.language == "fr"  # type: ignore[attr-defined]


def test_marks_need_no_part_of_speech_in_a_language_without_rules() -> None:
    italian = language_of("it")
    marked = Marked("Le acque chiare", 9, 15)
    found = italian.lexelts(marked, italian.lemmatiser(Resources()))
    assert [one.pos for one in found] == ["n", "v", "a", "r"]
