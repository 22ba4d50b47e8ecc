"""Sentences as BERT reads them, and what the shipped rows can't read."""

import pytest

from explain import controls, weights, wordpiece


def test_the_first_sentence_is_cut_as_the_whole_model_would() -> None:
    read = wordpiece.read(controls.SENTENCE, 512)
    assert read.labels[:6] == ("[CLS]", "the", "dog", "bit", "the", "man")
    assert read.ids[:6] == (101, 1996, 3899, 2978, 1996, 2158)
    assert (read.labels[-1], read.ids[-1]) == ("[SEP]", 102)
    assert read.same
    assert not read.unknown
    assert read.dropped == 0


def test_the_shipped_rows_are_the_first_of_the_model() -> None:
    here, whole = wordpiece.vocabulary(False), wordpiece.vocabulary(True)
    assert (len(here), len(whole)) == (8000, 30522)
    assert {piece: row for piece, row in whole.items() if row < 8000} == here
    assert len(weights.tensor(wordpiece.MODEL, "embeddings.word_embeddings.weight")) == 8000


def test_words_that_only_the_whole_vocabulary_keeps_are_named() -> None:
    read = wordpiece.read("Glitters is not gold, glitters: naïve", 512)
    assert [cut.word for cut in read.cut] == ["Glitters", "glitters", "naïve"]
    assert read.cut[1] == ("glitters", ("g", "##li", "##tte", "##rs"), ("glitter", "##s"))
    assert not read.same
    assert wordpiece.UNKNOWN not in read.labels


def test_words_that_the_shipped_rows_lose_are_named_apart_from_those_nobody_knows() -> None:
    read = wordpiece.read("한국어 🐈 dog 书", 512)
    assert read.lost == ("한국어",)
    assert read.unknown == ("🐈", "书")
    assert read.labels == ("[CLS]", "[UNK]", "[UNK]", "dog", "[UNK]", "[SEP]")
    assert not read.same
    assert wordpiece.read("dog 🐈", 512).same, "the whole vocabulary does not know it either"


@pytest.mark.parametrize("sentence", ["", " \n\t ", "\u200b\x00"])
def test_no_words_leave_the_two_frame_tokens(sentence: str) -> None:
    assert wordpiece.read(sentence, 512).labels == ("[CLS]", "[SEP]")


def test_what_has_no_position_is_left_out_and_counted() -> None:
    read = wordpiece.read("각 " * 250, 12)
    assert len(read.ids) == 12
    assert read.dropped == 250 - 10
    assert wordpiece.read("a " * 10, 12).dropped == 0


def test_half_a_surrogate_pair_is_no_reason_to_fail() -> None:
    assert wordpiece.read("dog \ud83d dog", 512).labels == ("[CLS]", "dog", "?", "dog", "[SEP]")


def test_special_tokens_typed_by_a_reader_are_words() -> None:
    assert wordpiece.read("[SEP]", 512).labels == ("[CLS]", "[", "se", "##p", "]", "[SEP]")
