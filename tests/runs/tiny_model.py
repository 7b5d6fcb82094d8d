"""A tiny random Llama with a tokenizer of its own, made by `python -m tests.runs.tiny_model FOLDER`.

Needs torch, transformers and tokenizers, which come with vLLM. It says nothing sensible, in milliseconds.
"""

from __future__ import annotations

import sys

CONTEXT = 256
"""Tokens it takes: short, so that a prompt can be too long."""

CHAT = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant: "


def make(folder: str) -> None:
    """Write configuration, weights and tokenizer."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=384, special_tokens=["<s>", "</s>"], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(["Find the integral of x squared.", r"The answer is \boxed{2}."], trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>")
    fast.chat_template = CHAT
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(fast),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=CONTEXT,
        initializer_range=0.5,  # wide, so that what it says depends on what it is asked
        bos_token_id=0,
        eos_token_id=1,
    )
    LlamaForCausalLM(config).to(torch.float32).save_pretrained(folder)


if __name__ == "__main__":
    make(sys.argv[1])
