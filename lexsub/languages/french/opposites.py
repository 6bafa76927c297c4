"""Frequent French words and their opposites, which thesauri list without saying so."""

from __future__ import annotations

_PAIRS = """
acheter vendre, acheter revendre, prêter emprunter, donner recevoir, donner prendre
offrir refuser, accepter refuser, entrer sortir, monter descendre, ouvrir fermer, commencer finir
commencer terminer, aimer détester, aimer haïr, gagner perdre, naître mourir, arriver partir
venir partir, aller venir, augmenter diminuer, augmenter baisser, monter baisser, lever baisser
allumer éteindre, rire pleurer, construire détruire, attaquer défendre, avancer reculer
accélérer ralentir, autoriser interdire, permettre interdire, permettre défendre, réussir échouer
oublier rappeler, trouver perdre, vider remplir, attacher détacher, remplir vider, louer blâmer
vivre mourir, demander répondre, pousser tirer, apparaître disparaître, approcher éloigner
ajouter retirer, ajouter enlever, mettre enlever, bon mauvais, bon méchant, beau laid
grand petit, gros petit, gros mince, gros maigre, haut bas, long court, large étroit, lourd léger
fort faible, riche pauvre, jeune vieux, nouveau ancien, nouveau vieux, chaud froid, plein vide
vrai faux, facile difficile, rapide lent, clair sombre, clair obscur, clair foncé
heureux malheureux, content mécontent, gai triste, joyeux triste, dur mou, dur tendre, doux dur
sec humide, sec mouillé, propre sale, ouvert fermé, premier dernier, public privé, juste injuste
possible impossible, utile inutile, capable incapable, profond superficiel, vente achat
vendeur acheteur, début fin, commencement fin, entrée sortie, jour nuit
guerre paix, amour haine, ami ennemi, victoire défaite, succès échec, gain perte, vie mort
hausse baisse, force faiblesse, richesse pauvreté, jeunesse vieillesse, bien mal, vérité mensonge
plus moins, toujours jamais, souvent rarement, beaucoup peu, tôt tard, dedans dehors, avant après
dessus dessous, vite lentement, ensemble séparément
"""


def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _PAIRS.replace("\n", ",").split(","):
        one, _, other = pair.strip().partition(" ")
        if other:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


OPPOSITES = _opposites()
"""Lemmas that say the opposite of a lemma, by lemma."""
