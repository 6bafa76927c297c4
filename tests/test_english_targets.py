"""What is a target, what can stand for it, and in which form: decided before any ranking."""

from __future__ import annotations

import json

import pytest

import lexsub
from lexsub.cli import main
from lexsub.experiments.suggestions.suggesting import Suggester
from lexsub.languages import language_of
from lexsub.languages.english.phrases import PHRASES
from lexsub.marked_sentences import Marked, parse_marked
from lexsub.resources import Resources
from lexsub.wordnet import open_wordnet

ENGLISH = language_of("en")


@pytest.fixture(scope="module")
def suggest() -> Suggester:
    return lexsub.open_suggester()


def forms(suggester: Suggester, sentence: str, n: int = 40) -> list[str]:
    return [one.form for one in suggester(sentence, n=n)]


@pytest.mark.parametrize(
    ("sentence", "what"),
    [
        ("She visited *London* in May.", "a name"),
        ("*Paris* is old.", "a name"),
        ("I met Mr *Smith* there.", "a name"),
        ("Our *Zyzzx* is broken.", "a name"),
        ("*The* man slept.", "a function word"),
        ("Give it to *us* now.", "a function word"),
        ("I like *it*.", "a function word"),
        ("*I* like it.", "a function word"),
        ("He sat *in* the room.", "a function word"),
        ("We walked *over* them.", "a function word"),
        # These are none of that.
        ("The war is *over*.", ""),
        ("The *US* said so.", ""),
        ("The *President* spoke.", ""),
        ("*Bright* boys learn.", ""),
        ("*Zyzzx* is odd.", ""),
        ("WE SAW THE *QZZT* THERE.", ""),
        ("the *London*.n of old", ""),
        ("I met the old *smith* there.", ""),
    ],
)
def test_what_is_no_target_is_said(sentence: str, what: str, suggest: Suggester) -> None:
    found = suggest(sentence)
    if what:
        assert found.note.startswith(f"{what}, no target of a substitution")
        assert not found.best
    else:
        assert "no target" not in found.note


def test_the_command_says_it_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    for more in ([], ["--json"]):
        with pytest.raises(SystemExit) as end:
            main(["suggest", "I like *it*.", *more])
        assert end.value.code == 0
        out = capsys.readouterr().out
        if more:
            assert json.loads(out)["note"].startswith("a function word, no target")
        else:
            assert "no candidate: a function word, no target of a substitution" in out


@pytest.mark.parametrize(
    ("sentence", "never", "still"),
    [
        # WordNet has these as other parts of speech alone.
        ("*Fortunately*, nobody was hurt.", "Fortunate", "Luckily"),
        ("The program *crashes* every day.", "collisions", "collapses"),
        # Opposites, and their synonyms.
        ("They want to *end* a war.", "start", "stop"),
        ("They want to *end* a war.", "begin", "finish"),
        # The target in any form.
        ("The repairs *cost*.v more than the car.", "costs", "require"),
        ("Prices *rise* every year.", "rises", "increase"),
    ],
)
def test_what_cannot_stand_there_does_not_come_out(
    sentence: str, never: str, still: str, suggest: Suggester
) -> None:
    found = forms(suggest, sentence, 150)
    assert never not in found
    assert still in found


def test_a_noun_stands_for_an_adjective_before_a_noun_alone() -> None:
    lemmatiser = ENGLISH.lemmatiser(Resources())

    def suits(sentence: str) -> bool:
        marked = parse_marked(sentence)
        (lexelt,) = ENGLISH.lexelts(marked, lemmatiser)
        item = lexsub.Item("1", lexelt, marked.text, marked.start, marked.end)
        return ENGLISH.suits("wood", "wood", item, lemmatiser)

    assert suits("They sat at a *wooden*.a table.")
    assert not suits("The table is *wooden*.a.")
    assert not suits("a *table*.v wood")


@pytest.mark.parametrize(
    ("sentence", "word", "fits"),
    [
        # Of one series, unless they are synonyms or people give them.
        ("They waited for two *hours*.n.", "day", False),
        ("They waited for two *hours*.n.", "minutes", False),
        ("Wait a *minute*.n!", "second", True),
        ("The *third*.a man left.", "second", False),
        ("The *third*.a man left.", "3rd", True),
        ("The *brown*.a dog sat.", "black", False),
        ("The *brown*.a dog sat.", "tan", True),
        ("See you *tomorrow*.n.", "today", False),
        ("He came in *autumn*.n.", "fall", True),
        ("He came in *autumn*.n.", "spring", False),
        ("The leaves *fall*.v.", "spring", True),
        # A form of another word is no verb of its own.
        ("I *love*.v it.", "like", True),
        ("I *love*.v it.", "likes", False),
        ("I *love*.v it.", "liking", False),
        ("A *cold*.a day.", "freezing", True),
    ],
)
def test_what_stands_for_what(sentence: str, word: str, fits: bool) -> None:
    lemmatiser = ENGLISH.lemmatiser(Resources())
    marked = parse_marked(sentence)
    (lexelt,) = ENGLISH.lexelts(marked, lemmatiser)
    item = lexsub.Item("1", lexelt, marked.text, marked.start, marked.end)
    assert ENGLISH.suits(word, word, item, lemmatiser) == fits


@pytest.mark.parametrize(
    ("sentence", "form"),
    [
        ("She moved to the *USA*.n when she was ten.", "United States"),
        ("The *CEO* of the firm resigned.", "chief executive officer"),
        ("THE MAN *HELPED* US.", "ASSISTED"),
        ("*HELPED*", "ASSISTED"),
        ("*Helped* by all, he won.", "Assisted"),
    ],
)
def test_capitals_are_the_words_own_or_the_sentences(
    sentence: str, form: str, suggest: Suggester
) -> None:
    assert form in forms(suggest, sentence)


TAGS = [
    ("Yesterday he *put* the keys on the table.", "put", "v", "VBD"),
    ("They *set* the price too low last year.", "set", "v", "VBD"),
    ("She *read* the letter aloud.", "read", "v", "VBD"),
    ("I *read* a book every week.", "read", "v", "VBP"),
    ("They *cut* the grass every summer.", "cut", "v", "VBP"),
    ("You must *put* it back.", "put", "v", "VB"),
    ("Did he *put* it back yesterday?", "put", "v", "VB"),
    ("*Put* it on the table.", "put", "v", "VB"),
    ("He has *come* home.", "come", "v", "VBN"),
    ("She has to *come* home.", "come", "v", "VB"),
    ("It was carefully *set* on the shelf.", "set", "v", "VBN"),
    ("He *comes* home.", "come", "v", "VBZ"),
    ("Two *sheep* slept.", "sheep", "n", "NNS"),
    ("A *sheep* slept.", "sheep", "n", "NN"),
    ("Two *chair* legs.", "chair", "n", "NN"),
]


@pytest.mark.parametrize(("sentence", "lemma", "pos", "tag"), TAGS)
def test_forms_that_look_like_the_base(sentence: str, lemma: str, pos: str, tag: str) -> None:
    marked = parse_marked(sentence)
    lexelt = lexsub.Lexelt(lemma, pos, pos)
    item = lexsub.Item("1", lexelt, marked.text, marked.start, marked.end)
    assert ENGLISH.form_of(item).partition("/")[0] == tag


@pytest.mark.parametrize(
    ("sentence", "target", "lexelt", "answer"),
    [
        ("In *addition*, the roof leaks.", "In addition", "in addition.r", "Additionally"),
        ("*In addition*, the roof leaks.", "In addition", "in addition.r", "Furthermore"),
        ("*In* addition, the roof leaks.", "In addition", "in addition.r", "Also"),
        ("This is far *more* expensive.", "far more", "far more.r", "much more"),
        ("He came *at* last.", "at last", "at last.r", "finally"),
        ("She *looked after* the twins.", "looked after", "look after.v", "attended"),
        ("She looked *after* the twins.", "looked after", "look after.v", "attended"),
        ("Two *traffic jams* a day.", "traffic jams", "traffic jam.n", "snarl-ups"),
        ("He *ran* up the hill.", "ran", "run.v", "hurried"),
    ],
)
def test_phrases_are_seen_as_one(
    sentence: str, target: str, lexelt: str, answer: str, suggest: Suggester
) -> None:
    found = suggest(sentence, n=74)
    assert (found.target, str(found.lexelt)) == (target, lexelt)
    assert answer in [one.form for one in found]
    assert found.best[0].sentence == sentence.replace("*", "").replace(target, found.best[0].form)


def test_our_list_has_what_wordnet_lacks() -> None:
    wordnet = open_wordnet(Resources())
    assert not [phrase for phrase in PHRASES if wordnet.knows(phrase)]
    for phrase, (pos, substitutes) in PHRASES.items():
        assert pos in "nvar"
        assert phrase not in substitutes
        assert len(set(substitutes)) == len(substitutes) >= 1


def test_a_particle_that_leads_somewhere_is_no_part_of_the_verb() -> None:
    wordnet = open_wordnet(Resources())
    from lexsub.languages.english.phrases import widened

    assert widened(parse_marked("He ran *up* the hill."), wordnet) is None
    assert widened(parse_marked("He gave *up*."), wordnet) == Marked("He gave up.", 3, 10)
    assert widened(parse_marked("in *general*.a terms"), wordnet) is None
