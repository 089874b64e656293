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
      },
      {
        "indexed": false,
        "internalType": "address",
        "name": "key",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "bytes32",
        "name": "ref",
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
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "key",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "bytes32",
        "name": "ref",
        "type": "bytes32"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "state",
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
  '0x60a060405234801561000f575f5ffd5b50604051612a0f380380612a0f83398101604081905261002e9161003f565b6001600160a01b031660805261006c565b5f6020828403121561004f575f5ffd5b81516001600160a01b0381168114610065575f5ffd5b9392505050565b6080516129536100bc5f395f81816103c80152818161046801528181610541015281816108770152818161094b01528181610d8d01528181610e5101528181610f2c015261136f01526129535ff3fe60806040526004361061010b575f3560e01c8063523e3260116100a1578063bc197c8111610071578063dadbccee11610057578063dadbccee146103b7578063f23a6e61146103ea578063fc0c546a1461042f575f5ffd5b8063bc197c811461035c578063c19d93fb146103a3575f5ffd5b8063523e3260146102cf578063537c040b146102ee57806360ff7c4b146103115780638da5cb5b14610330575f5ffd5b8063150b7a02116100dc578063150b7a02146102395780631626ba7e14610271578063343b5e791461029057806351945447146102af575f5ffd5b8062a95dad1461011657806301ffc9a7146101375780630716326d1461016b5780630be96b281461021a575f5ffd5b3661011257005b5f5ffd5b348015610121575f5ffd5b50610135610130366004612168565b610466565b005b348015610142575f5ffd5b506101566101513660046121b9565b61073d565b60405190151581526020015b60405180910390f35b348015610176575f5ffd5b506101e66101853660046121e0565b60016020525f90815260409020546001600160a01b0381169074010000000000000000000000000000000000000000810463ffffffff16907801000000000000000000000000000000000000000000000000900467ffffffffffffffff1683565b604080516001600160a01b03909416845263ffffffff909216602084015267ffffffffffffffff1690820152606001610162565b348015610225575f5ffd5b506101356102343660046121f7565b610875565b348015610244575f5ffd5b5061025861025336600461227b565b610b30565b6040516001600160e01b03199091168152602001610162565b34801561027c575f5ffd5b5061025861028b3660046122e9565b610bcc565b34801561029b575f5ffd5b506101356102aa366004612331565b610f22565b6102c26102bd366004612384565b611061565b60405161016291906123f0565b3480156102da575f5ffd5b506102586102e9366004612425565b6112ab565b3480156102f9575f5ffd5b50610303610e1081565b604051908152602001610162565b34801561031c575f5ffd5b5061030361032b36600461245d565b611310565b34801561033b575f5ffd5b50610344611689565b6040516001600160a01b039091168152602001610162565b348015610367575f5ffd5b506102586103763660046124fb565b7fbc197c810000000000000000000000000000000000000000000000000000000098975050505050505050565b3480156103ae575f5ffd5b506103035f5481565b3480156103c2575f5ffd5b506103447f000000000000000000000000000000000000000000000000000000000000000081565b3480156103f5575f5ffd5b506102586104043660046125be565b7ff23a6e61000000000000000000000000000000000000000000000000000000009695505050505050565b34801561043a575f5ffd5b50610443611747565b604080519384526001600160a01b03909216602084015290820152606001610162565b7f00000000000000000000000000000000000000000000000000000000000000006001600160a01b031663511606306040518163ffffffff1660e01b8152600401602060405180830381865afa1580156104c2573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906104e69190612635565b6001600160a01b0316336001600160a01b031614610537576040517f4afb55c50000000000000000000000000000000000000000000000000000000081523360048201526024015b60405180910390fd5b61053f61176c565b7f00000000000000000000000000000000000000000000000000000000000000006001600160a01b031663591e7d9e6105766117a3565b6105866040880160208901612650565b6105966080890160608a01612650565b6105a660608a0160408b01612650565b60808a01356105bb60c08c0160a08d0161266b565b6040516001600160e01b031960e089901b16815260048101969096526001600160a01b039485166024870152928416604486015292166064840152608483019190915260ff1660a482015260c4015f6040518083038186803b15801561061f575f5ffd5b505afa158015610631573d5f5f3e3d5ffd5b505050505f5f8154610642906126b1565b909155506106566060850160408601612650565b6001600160a01b0316836001600160a01b0316855f01357f5d542d25f64dd65862bb98e1edd508af531c0cb26632f91223145c602d12dacb8560405161069e91815260200190565b60405180910390a4801561072f576001600160a01b0383166323b872dd306106cc6060880160408901612650565b6040516001600160e01b031960e085901b1681526001600160a01b03928316600482015291166024820152604481018590526064015f604051808303815f87803b158015610718575f5ffd5b505af115801561072a573d5f5f3e3d5ffd5b505050505b6107376117ac565b50505050565b5f6001600160e01b031982167f01ffc9a700000000000000000000000000000000000000000000000000000000148061079f57506001600160e01b031982167f1626ba7e00000000000000000000000000000000000000000000000000000000145b806107d357507f6faff5f1000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b8061080757506001600160e01b031982167f5194544700000000000000000000000000000000000000000000000000000000145b8061083b57506001600160e01b031982167f150b7a0200000000000000000000000000000000000000000000000000000000145b8061086f57506001600160e01b031982167f4e2312e000000000000000000000000000000000000000000000000000000000145b92915050565b7f00000000000000000000000000000000000000000000000000000000000000006001600160a01b031663511606306040518163ffffffff1660e01b8152600401602060405180830381865afa1580156108d1573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906108f59190612635565b6001600160a01b0316336001600160a01b031614610941576040517f4afb55c500000000000000000000000000000000000000000000000000000000815233600482015260240161052e565b61094961176c565b7f00000000000000000000000000000000000000000000000000000000000000006001600160a01b031663049eec076109806117a3565b6109906040870160208801612650565b6109a06080880160608901612650565b6109b06060890160408a01612650565b60808901356109c560c08b0160a08c0161266b565b6040516001600160e01b031960e089901b16815260048101969096526001600160a01b039485166024870152928416604486015292166064840152608483019190915260ff1660a482015260c4015f604051808303815f87803b158015610a2a575f5ffd5b505af1158015610a3c573d5f5f3e3d5ffd5b505050505f5f8154610a4d906126b1565b90915550610a616060840160408501612650565b6001600160a01b0316610a7a6080850160608601612650565b6001600160a01b0316845f01357f70d74e51749213ec669d02bd65c3298880d99a73355823dd2a9e4a66159e3aa8866080013586604051610ac5929190918252602082015260400190565b60405180910390a4610b03610ae06080850160608601612650565b610af06060860160408701612650565b610afe8560808801356126e8565b6117d6565b8115610b2357610b23610b1c6080850160608601612650565b82846117d6565b610b2b6117ac565b505050565b5f5f5f5f610b3c611747565b91945092509050336001600160a01b038316148015610b5a57508087145b8015610b6557504683145b15610b9c576040517fa9bcda2c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b507f150b7a0200000000000000000000000000000000000000000000000000000000925050505b95945050505050565b5f838152600160209081526040808320815160608101835290546001600160a01b03811680835274010000000000000000000000000000000000000000820463ffffffff16948301949094527801000000000000000000000000000000000000000000000000900467ffffffffffffffff1691810191909152901580610c5c5750806020015163ffffffff164210155b15610c7257506001600160e01b03199050610f1b565b605583141580610ca4575080516001600160a01b0316610c9560145f86886126fb565b610c9e91612722565b60601c14155b15610cba57506001600160e01b03199050610f1b565b5f80610d0687610ccd876014818b6126fb565b8080601f0160208091040260200160405190810160405280939291908181526020018383808284375f92019190915250611aa192505050565b5090925090505f816003811115610d1f57610d1f612788565b141580610d39575082516001600160a01b03838116911614155b15610d5257506001600160e01b03199250610f1b915050565b5f610d5b6117a3565b6040517f527cbaf7000000000000000000000000000000000000000000000000000000008152600481018290529091507f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03169063527cbaf790602401602060405180830381865afa158015610dda573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610dfe91906127b5565b67ffffffffffffffff16846040015167ffffffffffffffff16141580610ed9575083516040517f9eecc9580000000000000000000000000000000000000000000000000000000081526001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001691639eecc95891610e989185916004019182526001600160a01b0316602082015260400190565b602060405180830381865afa158015610eb3573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610ed791906127dc565b155b15610ef357506001600160e01b03199350610f1b92505050565b507f1626ba7e0000000000000000000000000000000000000000000000000000000093505050505b9392505050565b610f2a61176c565b7f00000000000000000000000000000000000000000000000000000000000000006001600160a01b0316632cc5435a610f616117a3565b6040516001600160e01b031960e084901b16815260048101919091523360248201526001600160a01b038088166044830152861660648201526084810185905260a4016020604051808303815f875af1158015610fc0573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610fe491906127b5565b50336001600160a01b0316836001600160a01b0316856001600160a01b03167fcd974d2453130e927c2edf43c173e111861f9e0db918e0e8a015f624e8bef4a385855f5f8154611033906126b1565b91829055506040805193845260208401929092529082015260600160405180910390a461072f8484846117d6565b606061106b61176c565b611073611689565b6001600160a01b0316336001600160a01b0316146110bf576040517f34eb8ac100000000000000000000000000000000000000000000000000000000815233600482015260240161052e565b60ff8216156110ff576040517ff2b23b2e00000000000000000000000000000000000000000000000000000000815260ff8316600482015260240161052e565b306001600160a01b03871603611141576040517f5363d18400000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f600484106111655761115760045f86886126fb565b611160916127f7565b611167565b5f5b905061117281611aea565b156111c4576040517fca566a190000000000000000000000000000000000000000000000000000000081526001600160a01b03881660048201526001600160e01b03198216602482015260440161052e565b866001600160a01b0316336001600160a01b03167fe46cf988ee35b29e953cbc3a21edb390638ba08e93625e4fc261f72bfeba7b2b88845f5f8154611208906126b1565b9182905550604080519384526001600160e01b031990921660208401529082015260600160405180910390a35f876001600160a01b031687878760405161125092919061282c565b5f6040518083038185875af1925050503d805f811461128a576040519150601f19603f3d011682016040523d82523d5f602084013e61128f565b606091505b5093509050806112a157825160208401fd5b5050610bc36117ac565b5f6001600160a01b038416158015906112dc57506112c7611689565b6001600160a01b0316846001600160a01b0316145b6112e6575f611308565b7f523e3260000000000000000000000000000000000000000000000000000000005b949350505050565b5f61131961176c565b4284111580611332575061132f610e104261283b565b84115b1561136c576040517f3e4eebcc0000000000000000000000000000000000000000000000000000000081526004810185905260240161052e565b5f7f00000000000000000000000000000000000000000000000000000000000000006001600160a01b0316632cc5435a6113a46117a3565b6040516001600160e01b031960e084901b16815260048101919091523360248201526001600160a01b03808d1660448301528b166064820152608481018a905260a4016020604051808303815f875af1158015611403573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061142791906127b5565b90506114e66114358a611d56565b604080517f7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267602082015230918101919091526001600160a01b038b166060820152608081018a905260a0810189905260c0810188905260e0810187905261010001604051602081830303815290604052805190602001206040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b5f818152600160205260409020549092506001600160a01b03161561153a576040517fd670c28c0000000000000000000000000000000000000000000000000000000081526004810183905260240161052e565b6040805160608101825233815263ffffffff808816602080840191825267ffffffffffffffff8087168587019081525f8981526001909352958220945185549351965190911678010000000000000000000000000000000000000000000000000277ffffffffffffffffffffffffffffffffffffffffffffffff9690941674010000000000000000000000000000000000000000027fffffffffffffffff0000000000000000000000000000000000000000000000009093166001600160a01b039190911617919091179390931617905580548190611618906126b1565b90915550604080518881526020810186905233818301526060810185905290516001600160a01b038a811692908c169185917fd4f568fc87f91cc147972d987a7748797adf153390e5a039de587a260b6c0ca7919081900360800190a45061167e6117ac565b979650505050505050565b5f5f5f5f611695611747565b92509250925046831415806116b257506001600160a01b0382163b155b156116c0575f935050505090565b6040517f6352211e000000000000000000000000000000000000000000000000000000008152600481018290526001600160a01b03831690636352211e90602401602060405180830381865afa92505050801561173a575060408051601f3d908101601f1916820190925261173791810190612635565b60015b611308575f935050505090565b5f5f5f6040516060604d82303c80519350602081015192506040810151915050909192565b611774611f3d565b6117a160017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b90611f96565b565b5f610f1b611747565b6117a15f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f0061179b565b6040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f906001600160a01b038516906370a0823190602401602060405180830381865afa158015611833573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611857919061284e565b6040517f70a082310000000000000000000000000000000000000000000000000000000081526001600160a01b0385811660048301529192505f918616906370a0823190602401602060405180830381865afa1580156118b9573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906118dd919061284e565b90506118f36001600160a01b0386168585611f9d565b6040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f906001600160a01b038716906370a0823190602401602060405180830381865afa158015611950573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611974919061284e565b6040517f70a082310000000000000000000000000000000000000000000000000000000081526001600160a01b0387811660048301529192505f918816906370a0823190602401602060405180830381865afa1580156119d6573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906119fa919061284e565b90505f828511611a0a575f611a14565b611a1483866126e8565b90505f848311611a24575f611a2e565b611a2e85846126e8565b90508682141580611a3f5750868114155b15611a96576040517f5ccda0210000000000000000000000000000000000000000000000000000000081526001600160a01b038a16600482015260248101889052604481018390526064810182905260840161052e565b505050505050505050565b5f5f5f8351604103611ad8576020840151604085015160608601515f1a611aca88828585611feb565b955095509550505050611ae3565b505081515f91506002905b9250925092565b5f7f095ea7b3000000000000000000000000000000000000000000000000000000006001600160e01b031983161480611b4c57507fdaea85c5000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611b8057507f426a8493000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611bb457507f87517c45000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611be857507f39509351000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611c1c57507fd73dd623000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611c5057507fa22cb465000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611c8457507f558a7297000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611cb857507f959b8c3f000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611cec57507f3177029f000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b80611d2057507fcae9ca51000000000000000000000000000000000000000000000000000000006001600160e01b03198316145b8061086f5750506001600160e01b0319167fac9650d8000000000000000000000000000000000000000000000000000000001490565b5f7f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f826001600160a01b03166306fdde036040518163ffffffff1660e01b81526004015f60405180830381865afa158015611db3573d5f5f3e3d5ffd5b505050506040513d5f823e601f3d908101601f19168201604052611dda9190810190612892565b80519060200120836001600160a01b03166354fd4d506040518163ffffffff1660e01b81526004015f60405180830381865afa158015611e1c573d5f5f3e3d5ffd5b505050506040513d5f823e601f3d908101601f19168201604052611e439190810190612892565b805160209182012060408051928301949094529281019190915260608101919091524660808201526001600160a01b03831660a082015260c001604051602081830303815290604052805190602001209050816001600160a01b0316633644e5156040518163ffffffff1660e01b8152600401602060405180830381865afa158015611ed1573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190611ef5919061284e565b8114611f38576040517fd30695780000000000000000000000000000000000000000000000000000000081526001600160a01b038316600482015260240161052e565b919050565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c156117a1576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b611faa83838360016120b3565b610b2b576040517f5274afe70000000000000000000000000000000000000000000000000000000081526001600160a01b038416600482015260240161052e565b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a084111561202457505f915060039050826120a9565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015612075573d5f5f3e3d5ffd5b5050604051601f1901519150506001600160a01b0381166120a057505f9250600191508290506120a9565b92505f91508190505b9450945094915050565b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f51148316612122578383151615612116573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f60c0828403121561213e575f5ffd5b50919050565b6001600160a01b0381168114612158575f5ffd5b50565b8015158114612158575f5ffd5b5f5f5f5f610120858703121561217c575f5ffd5b612186868661212e565b935060c085013561219681612144565b925060e085013591506101008501356121ae8161215b565b939692955090935050565b5f602082840312156121c9575f5ffd5b81356001600160e01b031981168114610f1b575f5ffd5b5f602082840312156121f0575f5ffd5b5035919050565b5f5f5f610100848603121561220a575f5ffd5b612214858561212e565b925060c0840135915060e084013561222b81612144565b809150509250925092565b5f5f83601f840112612246575f5ffd5b50813567ffffffffffffffff81111561225d575f5ffd5b602083019150836020828501011115612274575f5ffd5b9250929050565b5f5f5f5f5f6080868803121561228f575f5ffd5b853561229a81612144565b945060208601356122aa81612144565b935060408601359250606086013567ffffffffffffffff8111156122cc575f5ffd5b6122d888828901612236565b969995985093965092949392505050565b5f5f5f604084860312156122fb575f5ffd5b83359250602084013567ffffffffffffffff811115612318575f5ffd5b61232486828701612236565b9497909650939450505050565b5f5f5f5f60808587031215612344575f5ffd5b843561234f81612144565b9350602085013561235f81612144565b93969395505050506040820135916060013590565b803560ff81168114611f38575f5ffd5b5f5f5f5f5f60808688031215612398575f5ffd5b85356123a381612144565b945060208601359350604086013567ffffffffffffffff8111156123c5575f5ffd5b6123d188828901612236565b90945092506123e4905060608701612374565b90509295509295909350565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b5f5f5f60408486031215612437575f5ffd5b833561244281612144565b9250602084013567ffffffffffffffff811115612318575f5ffd5b5f5f5f5f5f5f5f60e0888a031215612473575f5ffd5b873561247e81612144565b9650602088013561248e81612144565b96999698505050506040850135946060810135946080820135945060a0820135935060c0909101359150565b5f5f83601f8401126124ca575f5ffd5b50813567ffffffffffffffff8111156124e1575f5ffd5b6020830191508360208260051b8501011115612274575f5ffd5b5f5f5f5f5f5f5f5f60a0898b031215612512575f5ffd5b883561251d81612144565b9750602089013561252d81612144565b9650604089013567ffffffffffffffff811115612548575f5ffd5b6125548b828c016124ba565b909750955050606089013567ffffffffffffffff811115612573575f5ffd5b61257f8b828c016124ba565b909550935050608089013567ffffffffffffffff81111561259e575f5ffd5b6125aa8b828c01612236565b999c989b5096995094979396929594505050565b5f5f5f5f5f5f60a087890312156125d3575f5ffd5b86356125de81612144565b955060208701356125ee81612144565b94506040870135935060608701359250608087013567ffffffffffffffff811115612617575f5ffd5b61262389828a01612236565b979a9699509497509295939492505050565b5f60208284031215612645575f5ffd5b8151610f1b81612144565b5f60208284031215612660575f5ffd5b8135610f1b81612144565b5f6020828403121561267b575f5ffd5b610f1b82612374565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b5f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff82036126e1576126e1612684565b5060010190565b8181038181111561086f5761086f612684565b5f5f85851115612709575f5ffd5b83861115612715575f5ffd5b5050820193919092039150565b80357fffffffffffffffffffffffffffffffffffffffff0000000000000000000000008116906014841015612781577fffffffffffffffffffffffffffffffffffffffff000000000000000000000000808560140360031b1b82161691505b5092915050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b5f602082840312156127c5575f5ffd5b815167ffffffffffffffff81168114610f1b575f5ffd5b5f602082840312156127ec575f5ffd5b8151610f1b8161215b565b80356001600160e01b03198116906004841015612781576001600160e01b0319808560040360031b1b82161691505092915050565b818382375f9101908152919050565b8082018082111561086f5761086f612684565b5f6020828403121561285e575f5ffd5b5051919050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b5f602082840312156128a2575f5ffd5b815167ffffffffffffffff8111156128b8575f5ffd5b8201601f810184136128c8575f5ffd5b805167ffffffffffffffff8111156128e2576128e2612865565b604051601f19603f601f19601f8501160116810181811067ffffffffffffffff8211171561291257612912612865565b604052818152828201602001861015612929575f5ffd5b8160208401602083015e5f9181016020019190915294935050505056fea164736f6c6343000825000a' as const;

/** The code on chain: its length, where the constructor writes into it, and its hash with those bytes zero. */
export const agentAccountRuntime = {
  length: 10579,
  immutables: [[968,32],[1128,32],[1345,32],[2167,32],[2379,32],[3469,32],[3665,32],[3884,32],[4975,32]],
  codeHash: '0x95b6eee65419c87252701a76b00818d4d454f44ba260fd5febae56fedd000654',
} as const;
