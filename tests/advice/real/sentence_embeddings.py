# encode() pads the texts of a batch to the longest of them.
# output: differs
# finding: recompile-size
# says: `SentenceTransformer.forward` .*input_ids
import torch
from sentence_transformers import SentenceTransformer, models
from tokenizers import Tokenizer, models as tk, pre_tokenizers
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast
from result import result

torch.manual_seed(0)
words = "[PAD] [UNK] [CLS] [SEP] the cat sat on a mat and dog ran far away from it".split()
tokenizer = Tokenizer(tk.WordLevel({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
BertModel(BertConfig(vocab_size=len(words), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64)).save_pretrained("bert")
PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]").save_pretrained("bert")
word = models.Transformer("bert")
model = SentenceTransformer(modules=[word, models.Pooling(word.get_word_embedding_dimension())], device="cpu")
model.forward = torch.compile(model.forward, backend="eager")
for text in ("the cat sat", "the dog ran far away from it", "a cat and a dog ran away from the mat", "on it"):
    result(torch.from_numpy(model.encode([text, "the mat"])))  # HERE
