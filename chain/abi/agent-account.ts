// Made by `npm run contracts` from chain/contracts/AgentAccount.sol with solc 0.8.37. Not to be edited.

export const agentAccountAbi = [
  {
    "inputs": [
      {
        "internalType": "contract ISpendPolicy",
        "name": "policy",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "bytes4",
        "name": "selector",
        "type": "bytes4"
      }
    ],
    "name": "AllowanceForbidden",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "expected",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "debited",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "credited",
        "type": "uint256"
      }
    ],
    "name": "AmountMismatch",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "DomainMismatch",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "validBefore",
        "type": "uint256"
      }
    ],
    "name": "InvalidPaymentTerm",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotAccountOwner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotSettlement",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "operation",
        "type": "uint8"
      }
    ],
    "name": "OperationNotAllowed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "digest",
        "type": "bytes32"
      }
    ],
    "name": "PaymentAlreadyAuthorized",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ReentrancyGuardReentrantCall",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "SafeERC20FailedOperation",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "SelfCall",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "SelfOwnership",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "dealId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "asset",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "buyer",
        "type": "address"
      }
    ],
    "name": "DealDelivered",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "dealId",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "seller",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "price",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "fee",
        "type": "uint256"
      }
    ],
    "name": "DealPaid",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "bytes4",
        "name": "selector",
        "type": "bytes4"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "state",
        "type": "uint256"
      }
    ],
    "name": "Executed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "digest",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "ref",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "bytes32",
        "name": "nonce",
        "type": "bytes32"
      }
    ],
    "name": "PaymentAuthorized",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "ref",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Spent",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "MAX_PAYMENT_TTL",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "POLICY",
    "outputs": [
      {
        "internalType": "contract ISpendPolicy",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "erc20",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "validAfter",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "validBefore",
        "type": "uint256"
      },
      {
        "internalType": "bytes32",
        "name": "nonce",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "ref",
        "type": "bytes32"
      }
    ],
    "name": "authorizePayment",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "digest",
        "type": "bytes32"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "dealId",
            "type": "bytes32"
          },
          {
            "internalType": "address",
            "name": "key",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "other",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "price",
            "type": "uint256"
          },
          {
            "internalType": "uint8",
            "name": "category",
            "type": "uint8"
          }
        ],
        "internalType": "struct IAgentAccount.Trade",
        "name": "trade",
        "type": "tuple"
      },
      {
        "internalType": "address",
        "name": "asset",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      },
      {
        "internalType": "bool",
        "name": "held",
        "type": "bool"
      }
    ],
    "name": "deliverDeal",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      },
      {
        "internalType": "bytes",
        "name": "data",
        "type": "bytes"
      },
      {
        "internalType": "uint8",
        "name": "operation",
        "type": "uint8"
      }
    ],
    "name": "execute",
    "outputs": [
      {
        "internalType": "bytes",
        "name": "result",
        "type": "bytes"
      }
    ],
    "stateMutability": "payable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "hash",
        "type": "bytes32"
      },
      {
        "internalType": "bytes",
        "name": "signature",
        "type": "bytes"
      }
    ],
    "name": "isValidSignature",
    "outputs": [
      {
        "internalType": "bytes4",
        "name": "",
        "type": "bytes4"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "signer",
        "type": "address"
      },
      {
        "internalType": "bytes",
        "name": "",
        "type": "bytes"
      }
    ],
    "name": "isValidSigner",
    "outputs": [
      {
        "internalType": "bytes4",
        "name": "",
        "type": "bytes4"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      },
      {
        "internalType": "uint256[]",
        "name": "",
        "type": "uint256[]"
      },
      {
        "internalType": "uint256[]",
        "name": "",
        "type": "uint256[]"
      },
      {
        "internalType": "bytes",
        "name": "",
        "type": "bytes"
      }
    ],
    "name": "onERC1155BatchReceived",
    "outputs": [
      {
        "internalType": "bytes4",
        "name": "",
        "type": "bytes4"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      },
      {
        "internalType": "bytes",
        "name": "",
        "type": "bytes"
      }
    ],
    "name": "onERC1155Received",
    "outputs": [
      {
        "internalType": "bytes4",
        "name": "",
        "type": "bytes4"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      },
      {
        "internalType": "bytes",
        "name": "",
        "type": "bytes"
      }
    ],
    "name": "onERC721Received",
    "outputs": [
      {
        "internalType": "bytes4",
        "name": "",
        "type": "bytes4"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "owner",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "dealId",
            "type": "bytes32"
          },
          {
            "internalType": "address",
            "name": "key",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "other",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "price",
            "type": "uint256"
          },
          {
            "internalType": "uint8",
            "name": "category",
            "type": "uint8"
          }
        ],
        "internalType": "struct IAgentAccount.Trade",
        "name": "trade",
        "type": "tuple"
      },
      {
        "internalType": "uint256",
        "name": "fee",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "treasury",
        "type": "address"
      }
    ],
    "name": "payDeal",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "digest",
        "type": "bytes32"
      }
    ],
    "name": "payments",
    "outputs": [
      {
        "internalType": "address",
        "name": "key",
        "type": "address"
      },
      {
        "internalType": "uint32",
        "name": "validBefore",
        "type": "uint32"
      },
      {
        "internalType": "uint64",
        "name": "stamp",
        "type": "uint64"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "erc20",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "bytes32",
        "name": "ref",
        "type": "bytes32"
      }
    ],
    "name": "spend",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "state",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes4",
        "name": "interfaceId",
        "type": "bytes4"
      }
    ],
    "name": "supportsInterface",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "token",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "chainId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "tokenContract",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "stateMutability": "payable",
    "type": "receive"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      }
    ],
    "name": "AgentPaused",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "AlreadyBound",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      }
    ],
    "name": "AlreadyInitialised",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      }
    ],
    "name": "BadOwnerSignature",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "price",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "minPrice",
        "type": "uint256"
      }
    ],
    "name": "BelowMinPrice",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "uint8",
        "name": "category",
        "type": "uint8"
      }
    ],
    "name": "CategoryNotAllowed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "party",
        "type": "address"
      }
    ],
    "name": "CounterpartyNotAllowed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "spent",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "cap",
        "type": "uint256"
      }
    ],
    "name": "DayCapExceeded",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "DuplicateToken",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "categories",
        "type": "uint256"
      }
    ],
    "name": "InvalidCategories",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "InvalidKey",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "InvalidShortString",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "sides",
        "type": "uint8"
      }
    ],
    "name": "InvalidSides",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint48",
        "name": "validAfter",
        "type": "uint48"
      },
      {
        "internalType": "uint48",
        "name": "expiry",
        "type": "uint48"
      }
    ],
    "name": "InvalidTerm",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "key",
        "type": "address"
      }
    ],
    "name": "KeyNotLive",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "uint48",
        "name": "validAfter",
        "type": "uint48"
      },
      {
        "internalType": "uint48",
        "name": "expiry",
        "type": "uint48"
      }
    ],
    "name": "MandateNotActive",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "spent",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "cap",
        "type": "uint256"
      }
    ],
    "name": "MonthCapExceeded",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "target",
        "type": "address"
      }
    ],
    "name": "NotAContract",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotAccount",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotAgentNFT",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotDeployer",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotOwner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "cap",
        "type": "uint256"
      }
    ],
    "name": "PerDealCapExceeded",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint8",
        "name": "bits",
        "type": "uint8"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "SafeCastOverflowedUintDowncast",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "uint8",
        "name": "side",
        "type": "uint8"
      }
    ],
    "name": "SideNotAllowed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint48",
        "name": "deadline",
        "type": "uint48"
      }
    ],
    "name": "SignatureExpired",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "str",
        "type": "string"
      }
    ],
    "name": "StringTooLong",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "TokenNotAllowed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "spent",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "cap",
        "type": "uint256"
      }
    ],
    "name": "TotalCapExceeded",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "spent",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "cap",
        "type": "uint256"
      }
    ],
    "name": "WeekCapExceeded",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroAmount",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "AccessControlBadConfirmation",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint48",
        "name": "schedule",
        "type": "uint48"
      }
    ],
    "name": "AccessControlEnforcedDefaultAdminDelay",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "AccessControlEnforcedDefaultAdminRules",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "defaultAdmin",
        "type": "address"
      }
    ],
    "name": "AccessControlInvalidDefaultAdmin",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "neededRole",
        "type": "bytes32"
      }
    ],
    "name": "AccessControlUnauthorizedAccount",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "sender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "ERC721IncorrectOwner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "operator",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "ERC721InsufficientApproval",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "approver",
        "type": "address"
      }
    ],
    "name": "ERC721InvalidApprover",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "operator",
        "type": "address"
      }
    ],
    "name": "ERC721InvalidOperator",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "ERC721InvalidOwner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "receiver",
        "type": "address"
      }
    ],
    "name": "ERC721InvalidReceiver",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "ERC721InvalidSender",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "ERC721NonexistentToken",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "caller",
        "type": "address"
      }
    ],
    "name": "NotAgentOwner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      }
    ],
    "name": "OwnershipCycle",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "paymentRef",
        "type": "bytes32"
      },
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      }
    ],
    "name": "PaymentAlreadyUsed",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "PaymentMissing",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "TierMissing",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "allowance",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "ERC20InsufficientAllowance",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "sender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "balance",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "needed",
        "type": "uint256"
      }
    ],
    "name": "ERC20InsufficientBalance",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "approver",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidApprover",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "receiver",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidReceiver",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidSender",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      }
    ],
    "name": "ERC20InvalidSpender",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "currentNonce",
        "type": "uint256"
      }
    ],
    "name": "InvalidAccountNonce",
    "type": "error"
  }
] as const;

/** Creation code, without the constructor's arguments. */
export const agentAccountBytecode =
  '0x60a060405234801561000f575f5ffd5b506040516129f93803806129f983398101604081905261002e9161003f565b6001600160a01b031660805261006c565b5f6020828403121561004f575f5ffd5b81516001600160a01b0381168114610065575f5ffd5b9392505050565b60805161293d6100bc5f395f81816103c80152818161046801528181610541015281816108770152818161094b01528181610d8d01528181610e5101528181610f2c0152611360015261293d5ff3fe60806040526004361061010b575f3560e01c8063523e3260116100a1578063bc197c8111610071578063dadbccee11610057578063dadbccee146103b7578063f23a6e61146103ea578063fc0c546a1461042f575f5ffd5b8063bc197c811461035c578063c19d93fb146103a3575f5ffd5b8063523e3260146102cf578063537c040b146102ee57806360ff7c4b146103115780638da5cb5b14610330575f5ffd5b8063150b7a02116100dc578063150b7a02146102395780631626ba7e14610271578063343b5e791461029057806351945447146102af575f5ffd5b8062a95dad1461011657806301ffc9a7146101375780630716326d1461016b5780630be96b281461021a575f5ffd5b3661011257005b5f5ffd5b348015610121575f5ffd5b50610135610130366004612152565b610466565b005b348015610142575f5ffd5b506101566101513660046121a3565b61073d565b60405190151581526020015b60405180910390f35b348015610176575f5ffd5b506101e66101853660046121ca565b60016020525f90815260409020546001600160a01b0381169074010000000000000000000000000000000000000000810463ffffffff16907801000000000000000000000000000000000000000000000000900467ffffffffffffffff1683565b604080516001600160a01b03909416845263ffffffff909216602084015267ffffffffffffffff1690820152606001610162565b348015610225575f5ffd5b506101356102343660046121e1565b610875565b348015610244575f5ffd5b50610258610253366004612265565b610b30565b6040516001600160e01b03199091168152602001610162565b34801561027c575f5ffd5b5061025861028b3660046122d3565b610bcc565b34801561029b575f5ffd5b506101356102aa36600461231b565b610f22565b6102c26102bd36600461236e565b611052565b60405161016291906123da565b3480156102da575f5ffd5b506102586102e936600461240f565b61129c565b3480156102f9575f5ffd5b50610303610e1081565b604051908152602001610162565b34801561031c575f5ffd5b5061030361032b366004612447565b611301565b34801561033b575f5ffd5b50610344611673565b6040516001600160a01b039091168152602001610162565b348015610367575f5ffd5b506102586103763660046124e5565b7fbc197c810000000000000000000000000000000000000000000000000000000098975050505050505050565b3480156103ae575f5ffd5b506103035f5481565b3480156103c2575f5ffd5b506103447f000000000000000000000000000000000000000000000000000000000000000081565b3480156103f5575f5ffd5b506102586104043660046125a8565b7ff23a6e61000000000000000000000000000000000000000000000000000000009695505050505050565b34801561043a575f5ffd5b50610443611731565b604080519384526001600160a01b03909216602084015290820152606001610162565b7f00000000000000000000000000000000000000000000000000000000000000006001600160a01b031663511606306040518163ffffffff1660e01b8152600401602060405180830381865afa1580156104c2573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906104e6919061261f565b6001600160a01b0316336001600160a01b031614610537576040517f4afb55c50000000000000000000000000000000000000000000000000000000081523360048201526024015b60405180910390fd5b61053f611756565b7f00000000000000000000000000000000000000000000000000000000000000006001600160a01b031663591e7d9e61057661178d565b610586604088016020890161263a565b6105966080890160608a0161263a565b6105a660608a0160408b0161263a565b60808a01356105bb60c08c0160a08d01612655565b6040516001600160e01b031960e089901b16815260048101969096526001600160a01b039485166024870152928416604486015292166064840152608483019190915260ff1660a482015260c4015f6040518083038186803b15801561061f575f5ffd5b505afa158015610631573d5f5f3e3d5ffd5b505050505f5f81546106429061269b565b90915550610656606085016040860161263a565b6001600160a01b0316836001600160a01b0316855f01357f5d542d25f64dd65862bb98e1edd508af531c0cb26632f91223145c602d12dacb8560405161069e91815260200190565b60405180910390a4801561072f576001600160a01b0383166323b872dd306106cc606088016040890161263a565b6040516001600160e01b031960e085901b1681526001600160a01b03928316600482015291166024820152604481018590526064015f604051808303815f87803b158015610718575f5ffd5b505af115801561072a573d5f5f3e3d5ffd5b505050505b610737611796565b50505050565b5f6001600160e01b031982167f01ffc9a700000000000000000000000000000000000000000000000000000000148061079f57506001600160e01b031982167f1626ba7e00000000000000000000000000000000000000000000000000000000145b806107d357507f6faff5f1000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b8061080757506001600160e01b031982167f5194544700000000000000000000000000000000000000000000000000000000145b8061083b57506001600160e01b031982167f150b7a0200000000000000000000000000000000000000000000000000000000145b8061086f57506001600160e01b031982167f4e2312e000000000000000000000000000000000000000000000000000000000145b92915050565b7f00000000000000000000000000000000000000000000000000000000000000006001600160a01b031663511606306040518163ffffffff1660e01b8152600401602060405180830381865afa1580156108d1573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906108f5919061261f565b6001600160a01b0316336001600160a01b031614610941576040517f4afb55c500000000000000000000000000000000000000000000000000000000815233600482015260240161052e565b610949611756565b7f00000000000000000000000000000000000000000000000000000000000000006001600160a01b031663049eec0761098061178d565b610990604087016020880161263a565b6109a0608088016060890161263a565b6109b06060890160408a0161263a565b60808901356109c560c08b0160a08c01612655565b6040516001600160e01b031960e089901b16815260048101969096526001600160a01b039485166024870152928416604486015292166064840152608483019190915260ff1660a482015260c4015f604051808303815f87803b158015610a2a575f5ffd5b505af1158015610a3c573d5f5f3e3d5ffd5b505050505f5f8154610a4d9061269b565b90915550610a61606084016040850161263a565b6001600160a01b0316610a7a608085016060860161263a565b6001600160a01b0316845f01357f70d74e51749213ec669d02bd65c3298880d99a73355823dd2a9e4a66159e3aa8866080013586604051610ac5929190918252602082015260400190565b60405180910390a4610b03610ae0608085016060860161263a565b610af0606086016040870161263a565b610afe8560808801356126d2565b6117c0565b8115610b2357610b23610b1c608085016060860161263a565b82846117c0565b610b2b611796565b505050565b5f5f5f5f610b3c611731565b91945092509050336001600160a01b038316148015610b5a57508087145b8015610b6557504683145b15610b9c576040517fa9bcda2c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b507f150b7a0200000000000000000000000000000000000000000000000000000000925050505b95945050505050565b5f838152600160209081526040808320815160608101835290546001600160a01b03811680835274010000000000000000000000000000000000000000820463ffffffff16948301949094527801000000000000000000000000000000000000000000000000900467ffffffffffffffff1691810191909152901580610c5c5750806020015163ffffffff164210155b15610c7257506001600160e01b03199050610f1b565b605583141580610ca4575080516001600160a01b0316610c9560145f86886126e5565b610c9e9161270c565b60601c14155b15610cba57506001600160e01b03199050610f1b565b5f80610d0687610ccd876014818b6126e5565b8080601f0160208091040260200160405190810160405280939291908181526020018383808284375f92019190915250611a8b92505050565b5090925090505f816003811115610d1f57610d1f612772565b141580610d39575082516001600160a01b03838116911614155b15610d5257506001600160e01b03199250610f1b915050565b5f610d5b61178d565b6040517f527cbaf7000000000000000000000000000000000000000000000000000000008152600481018290529091507f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03169063527cbaf790602401602060405180830381865afa158015610dda573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610dfe919061279f565b67ffffffffffffffff16846040015167ffffffffffffffff16141580610ed9575083516040517f9eecc9580000000000000000000000000000000000000000000000000000000081526001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001691639eecc95891610e989185916004019182526001600160a01b0316602082015260400190565b602060405180830381865afa158015610eb3573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610ed791906127c6565b155b15610ef357506001600160e01b03199350610f1b92505050565b507f1626ba7e0000000000000000000000000000000000000000000000000000000093505050505b9392505050565b610f2a611756565b7f00000000000000000000000000000000000000000000000000000000000000006001600160a01b0316632cc5435a610f6161178d565b6040516001600160e01b031960e084901b16815260048101919091523360248201526001600160a01b038088166044830152861660648201526084810185905260a4016020604051808303815f875af1158015610fc0573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610fe4919061279f565b505f5f8154610ff29061269b565b9190508190555080836001600160a01b0316856001600160a01b03167f6c125a1aa9357345355d15ee32548432dc6325f67314408e8beb645cd42349fb8560405161103f91815260200190565b60405180910390a461072f8484846117c0565b606061105c611756565b611064611673565b6001600160a01b0316336001600160a01b0316146110b0576040517f34eb8ac100000000000000000000000000000000000000000000000000000000815233600482015260240161052e565b60ff8216156110f0576040517ff2b23b2e00000000000000000000000000000000000000000000000000000000815260ff8316600482015260240161052e565b306001600160a01b03871603611132576040517f5363d18400000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f600484106111565761114860045f86886126e5565b611151916127e1565b611158565b5f5b905061116381611ad4565b156111b5576040517fca566a190000000000000000000000000000000000000000000000000000000081526001600160a01b03881660048201526001600160e01b03198216602482015260440161052e565b866001600160a01b0316336001600160a01b03167fe46cf988ee35b29e953cbc3a21edb390638ba08e93625e4fc261f72bfeba7b2b88845f5f81546111f99061269b565b9182905550604080519384526001600160e01b031990921660208401529082015260600160405180910390a35f876001600160a01b0316878787604051611241929190612816565b5f6040518083038185875af1925050503d805f811461127b576040519150601f19603f3d011682016040523d82523d5f602084013e611280565b606091505b50935090508061129257825160208401fd5b5050610bc3611796565b5f6001600160a01b038416158015906112cd57506112b8611673565b6001600160a01b0316846001600160a01b0316145b6112d7575f6112f9565b7f523e3260000000000000000000000000000000000000000000000000000000005b949350505050565b5f61130a611756565b42841115806113235750611320610e1042612825565b84115b1561135d576040517f3e4eebcc0000000000000000000000000000000000000000000000000000000081526004810185905260240161052e565b5f7f00000000000000000000000000000000000000000000000000000000000000006001600160a01b0316632cc5435a61139561178d565b6040516001600160e01b031960e084901b16815260048101919091523360248201526001600160a01b03808d1660448301528b166064820152608481018a905260a4016020604051808303815f875af11580156113f4573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611418919061279f565b90506114d76114268a611d40565b604080517f7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267602082015230918101919091526001600160a01b038b166060820152608081018a905260a0810189905260c0810188905260e0810187905261010001604051602081830303815290604052805190602001206040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b5f818152600160205260409020549092506001600160a01b03161561152b576040517fd670c28c0000000000000000000000000000000000000000000000000000000081526004810183905260240161052e565b6040805160608101825233815263ffffffff808816602080840191825267ffffffffffffffff8087168587019081525f8981526001909352958220945185549351965190911678010000000000000000000000000000000000000000000000000277ffffffffffffffffffffffffffffffffffffffffffffffff9690941674010000000000000000000000000000000000000000027fffffffffffffffff0000000000000000000000000000000000000000000000009093166001600160a01b0391909116179190911793909316179055805481906116099061269b565b90915550604080516001600160a01b038b81168252602082018a905291810186905284918a169084907f1ad8c2988c602cc2641daab477ca82d091a96daa6e4d8432b4b44f085e7b7d0f9060600160405180910390a450611668611796565b979650505050505050565b5f5f5f5f61167f611731565b925092509250468314158061169c57506001600160a01b0382163b155b156116aa575f935050505090565b6040517f6352211e000000000000000000000000000000000000000000000000000000008152600481018290526001600160a01b03831690636352211e90602401602060405180830381865afa925050508015611724575060408051601f3d908101601f191682019092526117219181019061261f565b60015b6112f9575f935050505090565b5f5f5f6040516060604d82303c80519350602081015192506040810151915050909192565b61175e611f27565b61178b60017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b90611f80565b565b5f610f1b611731565b61178b5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00611785565b6040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f906001600160a01b038516906370a0823190602401602060405180830381865afa15801561181d573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906118419190612838565b6040517f70a082310000000000000000000000000000000000000000000000000000000081526001600160a01b0385811660048301529192505f918616906370a0823190602401602060405180830381865afa1580156118a3573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906118c79190612838565b90506118dd6001600160a01b0386168585611f87565b6040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f906001600160a01b038716906370a0823190602401602060405180830381865afa15801561193a573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061195e9190612838565b6040517f70a082310000000000000000000000000000000000000000000000000000000081526001600160a01b0387811660048301529192505f918816906370a0823190602401602060405180830381865afa1580156119c0573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906119e49190612838565b90505f8285116119f4575f6119fe565b6119fe83866126d2565b90505f848311611a0e575f611a18565b611a1885846126d2565b90508682141580611a295750868114155b15611a80576040517f5ccda0210000000000000000000000000000000000000000000000000000000081526001600160a01b038a16600482015260248101889052604481018390526064810182905260840161052e565b505050505050505050565b5f5f5f8351604103611ac2576020840151604085015160608601515f1a611ab488828585611fd5565b955095509550505050611acd565b505081515f91506002905b9250925092565b5f7f095ea7b3000000000000000000000000000000000000000000000000000000006001600160e01b031983161480611b3657507fdaea85c5000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611b6a57507f426a8493000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611b9e57507f87517c45000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611bd257507f39509351000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611c0657507fd73dd623000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611c3a57507fa22cb465000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611c6e57507f558a7297000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611ca257507f959b8c3f000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611cd657507f3177029f000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611d0a57507fcae9ca51000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b8061086f5750506001600160e01b0319167fac9650d8000000000000000000000000000000000000000000000000000000001490565b5f7f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f826001600160a01b03166306fdde036040518163ffffffff1660e01b81526004015f60405180830381865afa158015611d9d573d5f5f3e3d5ffd5b505050506040513d5f823e601f3d908101601f19168201604052611dc4919081019061287c565b80519060200120836001600160a01b03166354fd4d506040518163ffffffff1660e01b81526004015f60405180830381865afa158015611e06573d5f5f3e3d5ffd5b505050506040513d5f823e601f3d908101601f19168201604052611e2d919081019061287c565b805160209182012060408051928301949094529281019190915260608101919091524660808201526001600160a01b03831660a082015260c001604051602081830303815290604052805190602001209050816001600160a01b0316633644e5156040518163ffffffff1660e01b8152600401602060405180830381865afa158015611ebb573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611edf9190612838565b8114611f22576040517fd30695780000000000000000000000000000000000000000000000000000000081526001600160a01b038316600482015260240161052e565b919050565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c1561178b576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b611f94838383600161209d565b610b2b576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b038416600482015260240161052e565b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a084111561200e57505f91506003905082612093565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa15801561205f573d5f5f3e3d5ffd5b5050604051601f1901519150506001600160a01b03811661208a57505f925060019150829050612093565b92505f91508190505b9450945094915050565b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f5114831661210c578383151615612100573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f60c08284031215612128575f5ffd5b50919050565b6001600160a01b0381168114612142575f5ffd5b50565b8015158114612142575f5ffd5b5f5f5f5f6101208587031215612166575f5ffd5b6121708686612118565b935060c08501356121808161212e565b925060e0850135915061010085013561219881612145565b939692955090935050565b5f602082840312156121b3575f5ffd5b81356001600160e01b031981168114610f1b575f5ffd5b5f602082840312156121da575f5ffd5b5035919050565b5f5f5f61010084860312156121f4575f5ffd5b6121fe8585612118565b925060c0840135915060e08401356122158161212e565b809150509250925092565b5f5f83601f840112612230575f5ffd5b50813567ffffffffffffffff811115612247575f5ffd5b60208301915083602082850101111561225e575f5ffd5b9250929050565b5f5f5f5f5f60808688031215612279575f5ffd5b85356122848161212e565b945060208601356122948161212e565b935060408601359250606086013567ffffffffffffffff8111156122b6575f5ffd5b6122c288828901612220565b969995985093965092949392505050565b5f5f5f604084860312156122e5575f5ffd5b83359250602084013567ffffffffffffffff811115612302575f5ffd5b61230e86828701612220565b9497909650939450505050565b5f5f5f5f6080858703121561232e575f5ffd5b84356123398161212e565b935060208501356123498161212e565b93969395505050506040820135916060013590565b803560ff81168114611f22575f5ffd5b5f5f5f5f5f60808688031215612382575f5ffd5b853561238d8161212e565b945060208601359350604086013567ffffffffffffffff8111156123af575f5ffd5b6123bb88828901612220565b90945092506123ce90506060870161235e565b90509295509295909350565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b5f5f5f60408486031215612421575f5ffd5b833561242c8161212e565b9250602084013567ffffffffffffffff811115612302575f5ffd5b5f5f5f5f5f5f5f60e0888a03121561245d575f5ffd5b87356124688161212e565b965060208801356124788161212e565b96999698505050506040850135946060810135946080820135945060a0820135935060c0909101359150565b5f5f83601f8401126124b4575f5ffd5b50813567ffffffffffffffff8111156124cb575f5ffd5b6020830191508360208260051b850101111561225e575f5ffd5b5f5f5f5f5f5f5f5f60a0898b0312156124fc575f5ffd5b88356125078161212e565b975060208901356125178161212e565b9650604089013567ffffffffffffffff811115612532575f5ffd5b61253e8b828c016124a4565b909750955050606089013567ffffffffffffffff81111561255d575f5ffd5b6125698b828c016124a4565b909550935050608089013567ffffffffffffffff811115612588575f5ffd5b6125948b828c01612220565b999c989b5096995094979396929594505050565b5f5f5f5f5f5f60a087890312156125bd575f5ffd5b86356125c88161212e565b955060208701356125d88161212e565b94506040870135935060608701359250608087013567ffffffffffffffff811115612601575f5ffd5b61260d89828a01612220565b979a9699509497509295939492505050565b5f6020828403121561262f575f5ffd5b8151610f1b8161212e565b5f6020828403121561264a575f5ffd5b8135610f1b8161212e565b5f60208284031215612665575f5ffd5b610f1b8261235e565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b5f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff82036126cb576126cb61266e565b5060010190565b8181038181111561086f5761086f61266e565b5f5f858511156126f3575f5ffd5b838611156126ff575f5ffd5b5050820193919092039150565b80357fffffffffffffffffffffffffffffffffffffffff000000000000000000000000811690601484101561276b577fffffffffffffffffffffffffffffffffffffffff000000000000000000000000808560140360031b1b82161691505b5092915050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b5f602082840312156127af575f5ffd5b815167ffffffffffffffff81168114610f1b575f5ffd5b5f602082840312156127d6575f5ffd5b8151610f1b81612145565b80356001600160e01b0319811690600484101561276b576001600160e01b0319808560040360031b1b82161691505092915050565b818382375f9101908152919050565b8082018082111561086f5761086f61266e565b5f60208284031215612848575f5ffd5b5051919050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b5f6020828403121561288c575f5ffd5b815167ffffffffffffffff8111156128a2575f5ffd5b8201601f810184136128b2575f5ffd5b805167ffffffffffffffff8111156128cc576128cc61284f565b604051601f19603f601f19601f8501160116810181811067ffffffffffffffff821117156128fc576128fc61284f565b604052818152828201602001861015612913575f5ffd5b8160208401602083015e5f9181016020019190915294935050505056fea164736f6c6343000825000a' as const;

/** The code on chain: its length, where the constructor writes into it, and its hash with those bytes zero. */
export const agentAccountRuntime = {
  length: 10557,
  immutables: [[968,32],[1128,32],[1345,32],[2167,32],[2379,32],[3469,32],[3665,32],[3884,32],[4960,32]],
  codeHash: '0xf34b1bb7a8512af8dcd34fc6c717261bbce46f7b3f6fa58be324c1c0d5d9e9cc',
} as const;
