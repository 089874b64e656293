"""Checks a public record with nothing but the standard library of Python 3.

    python3 docs/examples/verify_record.py <record-url> [rpc-url ledger-address]

Checked: the hash of the record, the id that it is served under, the hash of its evidence, the fields that the service
signed, the Merkle path to the root, that it was neither retracted nor overturned since, and, with an RPC URL and the
ledger that you trust, the root on chain.
Not checked: the signature itself, since the standard library has no secp256k1, and the proofs that lists do not name an
address. `record verify` checks both.
"""

import json
import sys
import urllib.request
from calendar import timegm
from time import strptime

MASK = (1 << 64) - 1


def rotate(word, by):
    return ((word << by) | (word >> (64 - by))) & MASK if by else word


def keccak256(data):
    """Keccak-256 as the EVM has it. hashlib's sha3_256 pads otherwise and gives another hash."""
    lanes = [0] * 25
    padded = bytearray(data) + b"\x01" + bytes(-(len(data) + 1) % 136)
    padded[-1] |= 0x80
    for start in range(0, len(padded), 136):
        for i in range(17):
            lanes[i] ^= int.from_bytes(padded[start + 8 * i : start + 8 * i + 8], "little")
        lfsr = 1
        for _ in range(24):
            parity = [lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20] for x in range(5)]
            spread = [parity[x - 1] ^ rotate(parity[(x + 1) % 5], 1) for x in range(5)]
            lanes = [lane ^ spread[i % 5] for i, lane in enumerate(lanes)]
            x, y, moving = 1, 0, lanes[1]
            for t in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                lanes[x + 5 * y], moving = rotate(moving, (t + 1) * (t + 2) // 2 % 64), lanes[x + 5 * y]
            for row in range(0, 25, 5):
                r = lanes[row : row + 5]
                lanes[row : row + 5] = [r[i] ^ (~r[(i + 1) % 5] & r[(i + 2) % 5]) for i in range(5)]
            for j in range(7):
                lfsr = (lfsr << 1) ^ ((lfsr >> 7) * 0x171)
                if lfsr & 2:
                    lanes[0] ^= 1 << ((1 << j) - 1)
    return b"".join(lane.to_bytes(8, "little") for lane in lanes[:4])


class Number(str):
    """A number as the service wrote it: canonical JSON has ECMAScript's numbers, which Python writes otherwise."""


def canonical(value):
    """RFC 8785: sorted keys, no white space."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(key)}:{canonical(value[key])}" for key in keys) + "}"
    return json.dumps(value, ensure_ascii=False)


def digest(value):
    return "0x" + keccak256(canonical(value).encode()).hex()


def unhex(text):
    return bytes.fromhex(text[2:])


def climb(record_hash, siblings):
    """A leaf is hashed twice; the two children of a node are hashed in ascending order."""
    node = keccak256(keccak256(unhex(record_hash)))
    for sibling in map(unhex, siblings):
        node = keccak256(min(node, sibling) + max(node, sibling))
    return "0x" + node.hex()


def anchored(rpc, ledger, root):
    call = {"to": ledger, "data": "0x" + keccak256(b"anchoredAt(bytes32)")[:4].hex() + root[2:]}
    body = {"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": [call, "latest"]}
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(rpc, json.dumps(body).encode(), headers)
    answer = json.load(urllib.request.urlopen(request)).get("result", "0x")
    return len(answer) == 66 and int(answer, 16) > 0


def main(url, rpc=None, ledger=None):
    request = urllib.request.Request(url, headers={"accept": "application/json"})
    document = json.loads(urllib.request.urlopen(request).read(), parse_float=Number, parse_int=Number)
    record, proof = document["record"], document["proof"]
    signed = document["signature"]["typedData"]["message"]
    evidence = None if document["evidence"] is None else digest(document["evidence"])
    record_hash = digest(record)
    issued = str(timegm(strptime(record["issuedAt"], "%Y-%m-%dT%H:%M:%SZ")))
    meant = {"recordId": record["recordId"], "kind": record["kind"], "hash": record_hash, "issuedAt": issued}
    steps = [
        ("the hash is that of the record", record_hash == document["hash"]),
        ("the document's id is the record's", document["recordId"] == record["recordId"]),
        ("the evidence is withheld, and was not checked", record["evidenceHash"] is not None)
        if evidence is None and "withheld" in document
        else ("the evidence is the one the record was made of", evidence == record["evidenceHash"]),
        ("what was signed is this record", signed == meant),
        ("the Merkle path leads to the root", bool(proof) and climb(record_hash, proof["siblings"]) == proof["root"]),
    ]
    steps.append(("it was neither retracted nor overturned", not document.get("retracted") and not document.get("overturned")))
    if rpc:
        steps.append(("the root is on the ledger", bool(proof) and anchored(rpc, ledger, proof["root"])))
    for step, holds in steps:
        print("yes" if holds else "NO ", step)
    return 0 if all(holds for _, holds in steps) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
