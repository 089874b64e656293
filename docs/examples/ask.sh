#!/bin/sh
# Reads what is free, then sees what a paid call asks for. Needs curl and base64.
#   sh docs/examples/ask.sh [base-url]
set -eu
base=${1:-http://127.0.0.1:4021}
address=0x000000006551c19487814612e58FE06813775758

echo "The service and its parts:"
curl -fsS "$base/health" | cut -c 1-60

echo "What is for sale:"
curl -fsS "$base/catalogue?category=digital-products&limit=3"
echo

echo "What a tier 2 evaluation of a 300 dollar deal costs, and what the deal takes:"
curl -fsS "$base/quote?category=digital-products&priceUsd=300&tier=tier2"
echo

echo "A malformed address is 400 before anybody is asked to pay:"
curl -sS -o /dev/null -w '%{http_code}\n' "$base/determination?address=0x12"

echo "A paid call without a payment is 402, and the challenge stands in a header:"
curl -sS -o /dev/null -D - "$base/determination?address=$address&chainId=1002" |
  tr -d '\r' | sed -n -e '1p' -e 's/^payment-required: //p' |
  { read -r status && echo "$status" && base64 -d | cut -c 1-160; }
