"""A random language model with its tokenizer, made on the spot: no weights come from anywhere.

Texts are bytes, and each of a few whole answers is a token of its own, towards which the model leans at the
start; so a completion of one token is a right answer, a wrong one or prose, and there is something to learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PhiConfig, PhiForCausalLM, PreTrainedTokenizerFast

CHAT_TEMPLATE = (
    "{% for message in messages %}{{ message['role'] + ': ' + message['content'] + '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)

LEANING = 9.0
"""Bias of the answers' tokens: with 256 bytes beside them, nearly every completion is an answer."""


def tiny_model(answers: Sequence[str], seed: int = 0) -> tuple[Any, Any]:
    """(model, tokenizer): about 20,000 random weights; every one of `answers` is one token."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: i for i, letter in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_tokens([AddedToken(answer, normalized=False) for answer in answers])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", padding_side="left"
    )
    fast.chat_template = CHAT_TEMPLATE
    torch.manual_seed(seed)
    model = PhiForCausalLM(
        PhiConfig(
            vocab_size=len(fast),
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=1,
            num_attention_heads=2,
            max_position_embeddings=4096,
            pad_token_id=fast.pad_token_id,
            eos_token_id=fast.eos_token_id,
            bos_token_id=fast.eos_token_id,
        )
    )
    with torch.no_grad():
        model.lm_head.bias[fast.convert_tokens_to_ids(list(answers))] = LEANING
    return model, fast
