// Made by `npm run contracts` from chain/contracts/SpendPolicy.sol with solc 0.8.37. Not to be edited.

export const spendPolicyAbi = [
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "deployer",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "guardian",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
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
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
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
        "internalType": "address",
        "name": "key",
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
        "internalType": "uint256",
        "name": "cumulative",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint32",
        "name": "version",
        "type": "uint32"
      }
    ],
    "name": "Booked",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "nft",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "settlement",
        "type": "address"
      }
    ],
    "name": "Bound",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "uint32",
        "name": "version",
        "type": "uint32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "components": [
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "uint128",
            "name": "perDeal",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "dayCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "weekCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "monthCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "minPrice",
            "type": "uint128"
          }
        ],
        "indexed": false,
        "internalType": "struct ISpendPolicy.TokenCap",
        "name": "cap",
        "type": "tuple"
      }
    ],
    "name": "CapSet",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [],
    "name": "EIP712DomainChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "agentId",
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
        "internalType": "uint32",
        "name": "epoch",
        "type": "uint32"
      },
      {
        "indexed": false,
        "internalType": "uint48",
        "name": "validUntil",
        "type": "uint48"
      }
    ],
    "name": "KeyGranted",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "key",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "by",
        "type": "address"
      }
    ],
    "name": "KeyRevoked",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "uint32",
        "name": "version",
        "type": "uint32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "mandateHash",
        "type": "bytes32"
      },
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "mandateHash",
            "type": "bytes32"
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
          },
          {
            "internalType": "uint8",
            "name": "sides",
            "type": "uint8"
          },
          {
            "internalType": "bool",
            "name": "allowlistOnly",
            "type": "bool"
          },
          {
            "internalType": "uint256",
            "name": "categories",
            "type": "uint256"
          }
        ],
        "indexed": false,
        "internalType": "struct ISpendPolicy.Terms",
        "name": "terms",
        "type": "tuple"
      }
    ],
    "name": "MandateSet",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "uint32",
        "name": "version",
        "type": "uint32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "party",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "enum Mandates.Listing",
        "name": "listing",
        "type": "uint8"
      }
    ],
    "name": "PartyListed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "bool",
        "name": "paused",
        "type": "bool"
      },
      {
        "indexed": false,
        "internalType": "bool",
        "name": "byGuardian",
        "type": "bool"
      }
    ],
    "name": "PausedSet",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "GUARDIAN",
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
    "inputs": [],
    "name": "NO_CATEGORY",
    "outputs": [
      {
        "internalType": "uint8",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "contract IAgentNFT",
        "name": "agentNft",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "settlementContract",
        "type": "address"
      }
    ],
    "name": "bind",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
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
      },
      {
        "internalType": "address",
        "name": "token",
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
      }
    ],
    "name": "bookPayment",
    "outputs": [
      {
        "internalType": "uint64",
        "name": "stamp",
        "type": "uint64"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
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
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "seller",
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
    "name": "bookPurchase",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
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
    "name": "capOf",
    "outputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "uint128",
            "name": "perDeal",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "dayCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "weekCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "monthCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "minPrice",
            "type": "uint128"
          }
        ],
        "internalType": "struct ISpendPolicy.TokenCap",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
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
      },
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "buyer",
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
    "name": "checkSale",
    "outputs": [],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "eip712Domain",
    "outputs": [
      {
        "internalType": "bytes1",
        "name": "fields",
        "type": "bytes1"
      },
      {
        "internalType": "string",
        "name": "name",
        "type": "string"
      },
      {
        "internalType": "string",
        "name": "version",
        "type": "string"
      },
      {
        "internalType": "uint256",
        "name": "chainId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "verifyingContract",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "salt",
        "type": "bytes32"
      },
      {
        "internalType": "uint256[]",
        "name": "extensions",
        "type": "uint256[]"
      }
    ],
    "stateMutability": "view",
    "type": "function"
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
      },
      {
        "internalType": "uint48",
        "name": "validUntil",
        "type": "uint48"
      }
    ],
    "name": "grantKey",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
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
      },
      {
        "internalType": "uint48",
        "name": "validUntil",
        "type": "uint48"
      },
      {
        "internalType": "uint48",
        "name": "deadline",
        "type": "uint48"
      },
      {
        "internalType": "bytes",
        "name": "signature",
        "type": "bytes"
      }
    ],
    "name": "grantKeyBySig",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "mandateHash",
            "type": "bytes32"
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
          },
          {
            "internalType": "uint8",
            "name": "sides",
            "type": "uint8"
          },
          {
            "internalType": "bool",
            "name": "allowlistOnly",
            "type": "bool"
          },
          {
            "internalType": "uint256",
            "name": "categories",
            "type": "uint256"
          }
        ],
        "internalType": "struct ISpendPolicy.Terms",
        "name": "terms",
        "type": "tuple"
      },
      {
        "components": [
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "uint128",
            "name": "perDeal",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "dayCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "weekCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "monthCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "minPrice",
            "type": "uint128"
          }
        ],
        "internalType": "struct ISpendPolicy.TokenCap[]",
        "name": "caps",
        "type": "tuple[]"
      },
      {
        "internalType": "address[]",
        "name": "allow",
        "type": "address[]"
      },
      {
        "internalType": "address[]",
        "name": "deny",
        "type": "address[]"
      },
      {
        "internalType": "address",
        "name": "key",
        "type": "address"
      },
      {
        "internalType": "uint48",
        "name": "keyValidUntil",
        "type": "uint48"
      }
    ],
    "name": "initialise",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
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
    "name": "keyIsLive",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
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
    "name": "keys",
    "outputs": [
      {
        "internalType": "uint32",
        "name": "epoch",
        "type": "uint32"
      },
      {
        "internalType": "uint48",
        "name": "validUntil",
        "type": "uint48"
      }
    ],
    "stateMutability": "view",
    "type": "function"
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
    "name": "listingOf",
    "outputs": [
      {
        "internalType": "enum Mandates.Listing",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      }
    ],
    "name": "mandates",
    "outputs": [
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "mandateHash",
            "type": "bytes32"
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
          },
          {
            "internalType": "uint32",
            "name": "version",
            "type": "uint32"
          },
          {
            "internalType": "uint8",
            "name": "sides",
            "type": "uint8"
          },
          {
            "internalType": "bool",
            "name": "allowlistOnly",
            "type": "bool"
          },
          {
            "internalType": "bool",
            "name": "pausedByOwner",
            "type": "bool"
          },
          {
            "internalType": "bool",
            "name": "pausedByGuardian",
            "type": "bool"
          },
          {
            "internalType": "uint256",
            "name": "categories",
            "type": "uint256"
          }
        ],
        "internalType": "struct Mandates.Mandate",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "nft",
    "outputs": [
      {
        "internalType": "contract IAgentNFT",
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
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      }
    ],
    "name": "nonces",
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
    "name": "remaining",
    "outputs": [
      {
        "components": [
          {
            "internalType": "uint256",
            "name": "perDeal",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "day",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "week",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "month",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "total",
            "type": "uint256"
          },
          {
            "internalType": "uint256",
            "name": "spendable",
            "type": "uint256"
          }
        ],
        "internalType": "struct ISpendPolicy.Limits",
        "name": "left",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
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
    "name": "revokeKey",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "mandateHash",
            "type": "bytes32"
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
          },
          {
            "internalType": "uint8",
            "name": "sides",
            "type": "uint8"
          },
          {
            "internalType": "bool",
            "name": "allowlistOnly",
            "type": "bool"
          },
          {
            "internalType": "uint256",
            "name": "categories",
            "type": "uint256"
          }
        ],
        "internalType": "struct ISpendPolicy.Terms",
        "name": "terms",
        "type": "tuple"
      },
      {
        "components": [
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "uint128",
            "name": "perDeal",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "dayCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "weekCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "monthCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "minPrice",
            "type": "uint128"
          }
        ],
        "internalType": "struct ISpendPolicy.TokenCap[]",
        "name": "caps",
        "type": "tuple[]"
      },
      {
        "internalType": "address[]",
        "name": "allow",
        "type": "address[]"
      },
      {
        "internalType": "address[]",
        "name": "deny",
        "type": "address[]"
      }
    ],
    "name": "setMandate",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "components": [
          {
            "internalType": "bytes32",
            "name": "mandateHash",
            "type": "bytes32"
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
          },
          {
            "internalType": "uint8",
            "name": "sides",
            "type": "uint8"
          },
          {
            "internalType": "bool",
            "name": "allowlistOnly",
            "type": "bool"
          },
          {
            "internalType": "uint256",
            "name": "categories",
            "type": "uint256"
          }
        ],
        "internalType": "struct ISpendPolicy.Terms",
        "name": "terms",
        "type": "tuple"
      },
      {
        "components": [
          {
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "uint128",
            "name": "perDeal",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "dayCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "weekCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "monthCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalCap",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "minPrice",
            "type": "uint128"
          }
        ],
        "internalType": "struct ISpendPolicy.TokenCap[]",
        "name": "caps",
        "type": "tuple[]"
      },
      {
        "internalType": "address[]",
        "name": "allow",
        "type": "address[]"
      },
      {
        "internalType": "address[]",
        "name": "deny",
        "type": "address[]"
      },
      {
        "internalType": "uint48",
        "name": "deadline",
        "type": "uint48"
      },
      {
        "internalType": "bytes",
        "name": "signature",
        "type": "bytes"
      }
    ],
    "name": "setMandateBySig",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "bool",
        "name": "paused",
        "type": "bool"
      }
    ],
    "name": "setPaused",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      },
      {
        "internalType": "bool",
        "name": "paused",
        "type": "bool"
      },
      {
        "internalType": "uint48",
        "name": "deadline",
        "type": "uint48"
      },
      {
        "internalType": "bytes",
        "name": "signature",
        "type": "bytes"
      }
    ],
    "name": "setPausedBySig",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "settlement",
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
    "name": "spentTotal",
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
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      }
    ],
    "name": "stampOf",
    "outputs": [
      {
        "internalType": "uint64",
        "name": "",
        "type": "uint64"
      }
    ],
    "stateMutability": "view",
    "type": "function"
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
  }
] as const;

/** Creation code, without the constructor's arguments. */
export const spendPolicyBytecode =
  '0x6101a0604052348015610010575f5ffd5b50604051614d1f380380614d1f83398101604081905261002f916101af565b81816040518060400160405280601881526020017f5361666548616e647368616b655370656e64506f6c6963790000000000000000815250604051806040016040528060018152602001603160f81b8152506100908261014e60201b60201c565b6101205261009d8161014e565b61014052815160208084019190912060e052815190820120610100524660a05261012960e05161010051604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201529081019290925260608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b60805250503060c0526001600160a01b039182166101805216610160525061023b9050565b5f5f829050601f81511115610181578260405163305a27a960e01b815260040161017891906101e0565b60405180910390fd5b805161018c82610215565b179392505050565b80516001600160a01b03811681146101aa575f5ffd5b919050565b5f5f604083850312156101c0575f5ffd5b6101c983610194565b91506101d760208401610194565b90509250929050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b80516020808301519190811015610235575f198160200360031b1b821691505b50919050565b60805160a05160c05160e0516101005161012051610140516101605161018051614a716102ae5f395f6114f101525f81816106ad01528181610b7b01526116a901525f612c7701525f612c4701525f6139e201525f6139ba01525f61391501525f61393f01525f6139690152614a715ff3fe608060405234801561000f575f5ffd5b50600436106101a5575f3560e01c80636594f281116100e85780639304266a11610093578063a1b764831161006e578063a1b76483146107be578063bc8dbd9f146107d1578063d1ec9f141461082f578063daff97b514610842575f5ffd5b80639304266a146107755780639eecc95814610788578063a04aa863146107ab575f5ffd5b806382162df5116100c357806382162df5146106e257806384b0196e146106f557806387c5f24614610710575f5ffd5b80636594f2811461063e578063724c184c146106a857806374f7bc00146106cf575f5ffd5b806337b7c1d311610153578063527cbaf71161012e578063527cbaf7146103b157806357a5fb57146103c4578063580b466a146103d7578063591e7d9e1461062b575f5ffd5b806337b7c1d31461025c57806347ccca0214610373578063511606301461039e575f5ffd5b80631790d35d116101835780631790d35d146102035780631ad4e1b1146102165780632cc5435a14610230575f5ffd5b8063049eec07146101a957806313d437ee146101be578063141a468c146101d1575b5f5ffd5b6101bc6101b7366004613cc4565b610855565b005b6101bc6101cc366004613e1e565b610897565b6101f06101df366004613f1f565b60046020525f908152604090205481565b6040519081526020015b60405180910390f35b6101f0610211366004613f36565b610989565b61021e60ff81565b60405160ff90911681526020016101fa565b61024361023e366004613f64565b6109c2565b60405167ffffffffffffffff90911681526020016101fa565b61036661026a366004613f36565b6040805160e0810182525f80825260208201819052918101829052606081018290526080810182905260a0810182905260c0810191909152505f828152600860209081526040808320600683528184205463ffffffff6c0100000000000000000000000090910416845282528083206001600160a01b03851680855290835292819020815160e08101835293845280546fffffffffffffffffffffffffffffffff8082169486019490945260018201548085169386019390935270010000000000000000000000000000000092839004841660608601526002909101548084166080860152829004831660a0850152041660c082015292915050565b6040516101fa9190613fbb565b600254610386906001600160a01b031681565b6040516001600160a01b0390911681526020016101fa565b600354610386906001600160a01b031681565b6102436103bf366004613f1f565b610a94565b6101bc6103d2366004613f36565b610b5c565b61061e6103e5366004613f1f565b60408051610120810182525f80825260208201819052918101829052606081018290526080810182905260a0810182905260c0810182905260e081018290526101008101919091525f60065f8481526020019081526020015f20604051806101200160405290815f82015f9054906101000a900465ffffffffffff1665ffffffffffff1665ffffffffffff1681526020015f820160069054906101000a900465ffffffffffff1665ffffffffffff1665ffffffffffff1681526020015f8201600c9054906101000a900463ffffffff1663ffffffff1663ffffffff1681526020015f820160109054906101000a900460ff1660ff1660ff1681526020015f820160119054906101000a900460ff161515151581526020015f820160129054906101000a900460ff161515151581526020015f820160139054906101000a900460ff161515151581526020015f820160149054906101000a900460ff161515151581526020015f820160159054906101000a900467ffffffffffffffff1667ffffffffffffffff1667ffffffffffffffff1681525050905060405180610120016040528060075f8681526020019081526020015f20548152602001825f015165ffffffffffff168152602001826020015165ffffffffffff168152602001826040015163ffffffff168152602001826060015160ff1681526020018260800151151581526020018260c00151151581526020018260e001511515815260200182610100015167ffffffffffffffff16815250915050919050565b6040516101fa919061408d565b6101bc610639366004613cc4565b610cf4565b61069b61064c366004613f36565b5f91825260096020908152604080842060068352818520546c01000000000000000000000000900463ffffffff16855282528084206001600160a01b0393909316845291905290205460ff1690565b6040516101fa9190614162565b6103867f000000000000000000000000000000000000000000000000000000000000000081565b6101bc6106dd3660046141a1565b610e22565b6101bc6106f036600461422c565b610ea3565b6106fd610efb565b6040516101fa97969594939291906142e2565b61075261071e366004613f36565b600560209081525f928352604080842090915290825290205463ffffffff811690640100000000900465ffffffffffff1682565b6040805163ffffffff909316835265ffffffffffff9091166020830152016101fa565b6101bc610783366004614394565b610f59565b61079b610796366004613f36565b61103b565b60405190151581526020016101fa565b6101bc6107b93660046143cf565b6110ee565b6101bc6107cc3660046144ae565b6111b9565b6107e46107df366004613f36565b6112a5565b6040516101fa91905f60c082019050825182526020830151602083015260408301516040830152606083015160608301526080830151608083015260a083015160a083015292915050565b6101bc61083d36600461456a565b6114e6565b6101bc610850366004614596565b61169e565b5f610862878760016117bc565b509050610870878286611b52565b5061087c878284611c2f565b61088e87826040015188888888611ca5565b50505050505050565b5f7fe237ffd3883a5fe5e32981fe24a80bd37970418e66c72b6b2c5b574bbb5e3fee8c7f748a4dc88c7eee124c27762f9d9deec99a8cd48bd10bd347306c8a60ef19df558d6040516020016108ed929190614628565b6040516020818303038152906040528051906020012061090d8d8d6120b3565b6109178c8c6121ba565b6109218b8b6121ba565b6040805160208101979097528601949094526060850192909252608084015260a083015260c082015260e001604051602081830303815290604052905061096b8c828686866121ec565b61097b8c8c8c8c8c8c8c8c612441565b505050505050505050505050565b5f828152600a602090815260408083206001600160a01b03851684529091529020546dffffffffffffffffffffffffffff165b92915050565b5f5f5f6109d1888860016117bc565b915091505f6109e1898488611b52565b905082610100015167ffffffffffffffff165f14158015610a1457506001816002811115610a1157610a11614135565b14155b15610a5a576040517f3aeaebc6000000000000000000000000000000000000000000000000000000008152600481018a905260ff60248201526044015b60405180910390fd5b610a6c8984604001518a8a8a8a611ca5565b604083015163ffffffff16602083901b67ffffffff0000000016179998505050505050505050565b6002546040517fa3d545f5000000000000000000000000000000000000000000000000000000008152600481018390525f916109bc916001600160a01b039091169063a3d545f590602401602060405180830381865afa158015610afa573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610b1e919061464f565b5f848152600660205260409020546c01000000000000000000000000900463ffffffff1663ffffffff1660209190911b67ffffffff00000000161790565b336001600160a01b03821614801590610b9e5750336001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001614155b8015610c3f57506002546040517f6352211e000000000000000000000000000000000000000000000000000000008152600481018490526001600160a01b0390911690636352211e90602401602060405180830381865afa158015610c05573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610c299190614668565b6001600160a01b0316336001600160a01b031614155b15610c7f576040517fb9c0876100000000000000000000000000000000000000000000000000000000815260048101839052336024820152604401610a51565b5f8281526005602090815260408083206001600160a01b038516808552925280832080547fffffffffffffffffffffffffffffffffffffffffffff0000000000000000000016905551339285917f8fe4ccf52a9f14e2a02f02a286f8266fc2eb87216cad1c29a00868f73206e7689190a45050565b5f610d01878760026117bc565b509050610d0f878286611b52565b50610d1b878284611c2f565b5f8781526008602090815260408083208482015163ffffffff16845282528083206001600160a01b038916845290915290208054610d70908990889087906fffffffffffffffffffffffffffffffff166128eb565b805470010000000000000000000000000000000090046fffffffffffffffffffffffffffffffff16841015610e185780546040517f7332e4a4000000000000000000000000000000000000000000000000000000008152600481018a90526001600160a01b0388166024820152604481018690527001000000000000000000000000000000009091046fffffffffffffffffffffffffffffffff166064820152608401610a51565b5050505050505050565b604080517f70a6c740932e69b4d6f3ca747070cf913b8e57b942de5ea037aa6b67e01b131c60208201529081018790526001600160a01b038616606082015265ffffffffffff85166080820152610e9090879060a0015b6040516020818303038152906040528585856121ec565b610e9b8686866129c9565b505050505050565b604080517fd75c3ffdea1253fc7590e3f294a740e464ca246f192e1171ae22fa2de2412b2460208201529081018690528415156060820152610ee9908690608001610e79565b610ef485855f612b56565b5050505050565b5f6060805f5f5f6060610f0c612c40565b610f14612c70565b604080515f808252602082019092527f0f000000000000000000000000000000000000000000000000000000000000009b939a50919850469750309650945092509050565b6002546040517f6352211e00000000000000000000000000000000000000000000000000000000815260048101859052849133916001600160a01b0390911690636352211e90602401602060405180830381865afa158015610fbd573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610fe19190614668565b6001600160a01b03161461102a576040517fb9c0876100000000000000000000000000000000000000000000000000000000815260048101829052336024820152604401610a51565b6110358484846129c9565b50505050565b5f82815260066020526040812061105190612c9b565b80156110e757506002546040517fa3d545f5000000000000000000000000000000000000000000000000000000008152600481018590526110e791859185916001600160a01b03169063a3d545f590602401602060405180830381865afa1580156110be573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906110e2919061464f565b612d08565b9392505050565b6002546001600160a01b03163314611134576040517f14c12c2c000000000000000000000000000000000000000000000000000000008152336004820152602401610a51565b5f8a8152600660205260409020546c01000000000000000000000000900463ffffffff1615611192576040517f516d6095000000000000000000000000000000000000000000000000000000008152600481018b9052602401610a51565b6111a28a8a8a8a8a8a8a8a612441565b6111ad8a83836129c9565b50505050505050505050565b6002546040517f6352211e000000000000000000000000000000000000000000000000000000008152600481018a9052899133916001600160a01b0390911690636352211e90602401602060405180830381865afa15801561121d573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906112419190614668565b6001600160a01b03161461128a576040517fb9c0876100000000000000000000000000000000000000000000000000000000815260048101829052336024820152604401610a51565b61129a8989898989898989612441565b505050505050505050565b6112d86040518060c001604052805f81526020015f81526020015f81526020015f81526020015f81526020015f81525090565b5f83815260066020908152604080832060088352818420815463ffffffff6c01000000000000000000000000909104811686529084528285206001600160a01b038816808752908552838620845160c08101865281546fffffffffffffffffffffffffffffffff8082168352700100000000000000000000000000000000918290048116838a0152600180850154808316858b0152839004821660608501526002909401548082166080850152919091041660a08201528a8852600a875285882092885291909552928520919492936113b492918190612d8b16565b82516fffffffffffffffffffffffffffffffff9081168652604084015182519293506113e292911690612f31565b84602001818152505061140f82606001516fffffffffffffffffffffffffffffffff168260200151612f31565b84604001818152505061143c82608001516fffffffffffffffffffffffffffffffff168260400151612f31565b8460600181815250506114698260a001516fffffffffffffffffffffffffffffffff168260600151612f31565b608085015261147783612c9b565b801561149a57508254700100000000000000000000000000000000900460011615155b156114dd576114d76114cd6114b6865f01518760200151612f77565b6114c887604001518860600151612f77565b612f77565b8560800151612f77565b60a08501525b50505092915050565b336001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000161461154a576040517f0c8cc036000000000000000000000000000000000000000000000000000000008152336004820152602401610a51565b6002546001600160a01b03161561158d576040517f682a906500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b816001600160a01b03163b5f036115db576040517f8a8b41ec0000000000000000000000000000000000000000000000000000000081526001600160a01b0383166004820152602401610a51565b806001600160a01b03163b5f03611629576040517f8a8b41ec0000000000000000000000000000000000000000000000000000000081526001600160a01b0382166004820152602401610a51565b600280547fffffffffffffffffffffffff00000000000000000000000000000000000000009081166001600160a01b03858116918217909355600380549092169284169283179091556040517f0d128562eaa47ab89086803e64a0f96847c0ed3cc63c26251f29ba1aede09d4e905f90a35050565b336001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000161480158161176c57506002546040517f6352211e000000000000000000000000000000000000000000000000000000008152600481018590526001600160a01b0390911690636352211e90602401602060405180830381865afa158015611732573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906117569190614668565b6001600160a01b0316336001600160a01b031614155b156117ac576040517fb9c0876100000000000000000000000000000000000000000000000000000000815260048101849052336024820152604401610a51565b6117b7838383612b56565b505050565b60408051610120810182525f80825260208201819052818301819052606082018190526080820181905260a0820181905260c0820181905260e08201819052610100820181905260025492517f2d1e19e8000000000000000000000000000000000000000000000000000000008152600481018790529192909182916001600160a01b031690632d1e19e8906024016040805180830381865afa158015611865573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061188991906146b0565b925090506001600160a01b03811633146118d8576040517f228d703500000000000000000000000000000000000000000000000000000000815260048101879052336024820152604401610a51565b5f86815260066020908152604091829020825161012081018452905465ffffffffffff80821683526601000000000000820416928201929092526c01000000000000000000000000820463ffffffff1692810192909252700100000000000000000000000000000000810460ff9081166060840152710100000000000000000000000000000000008204811615156080840152720100000000000000000000000000000000000082048116151560a084015273010000000000000000000000000000000000000082048116151560c08401819052740100000000000000000000000000000000000000008304909116151560e0840152750100000000000000000000000000000000000000000090910467ffffffffffffffff1661010083015290935080611a0757508260e001515b15611a41576040517f5561eb5800000000000000000000000000000000000000000000000000000000815260048101879052602401610a51565b611a4c868684612d08565b611a94576040517f9f43dec6000000000000000000000000000000000000000000000000000000008152600481018790526001600160a01b0386166024820152604401610a51565b611aa5835f01518460200151612f8c565b611afb57825160208401516040517fb148e9500000000000000000000000000000000000000000000000000000000081526004810189905265ffffffffffff928316602482015291166044820152606401610a51565b8383606001511660ff165f03611b49576040517f32644f040000000000000000000000000000000000000000000000000000000081526004810187905260ff85166024820152604401610a51565b50935093915050565b5f8260a0015115611b9557505f8381526009602090815260408083208582015163ffffffff16845282528083206001600160a01b038516845290915290205460ff165b6001600160a01b038216331480611bbd57506002816002811115611bbb57611bbb614135565b145b80611be6575082608001518015611be657506001816002811115611be357611be3614135565b14155b156110e7576040517f626ec5f9000000000000000000000000000000000000000000000000000000008152600481018590526001600160a01b0383166024820152604401610a51565b61010082015167ffffffffffffffff1615801590611c62575061010082015167ffffffffffffffff1660ff82161c600116155b156117b7576040517f3aeaebc60000000000000000000000000000000000000000000000000000000081526004810184905260ff82166024820152604401610a51565b5f86815260086020908152604080832063ffffffff8916845282528083206001600160a01b0387168452825291829020825160c08101845281546fffffffffffffffffffffffffffffffff80821680845270010000000000000000000000000000000092839004821695840195909552600184015480821696840196909652948190048516606083015260029092015480851660808301529190910490921660a0830152611d58908890869085906128eb565b5f878152600a602090815260408083206001600160a01b0388168452909152808220908301516060840151919291611dab9184916fffffffffffffffffffffffffffffffff918216151591161515612d8b565b9050611dd083604001516fffffffffffffffffffffffffffffffff16825f0151612f31565b841115611e4857805160408481015190517f2f601b0f000000000000000000000000000000000000000000000000000000008152600481018c90526001600160a01b03891660248201526044810187905260648101929092526fffffffffffffffffffffffffffffffff16608482015260a401610a51565b611e6c83606001516fffffffffffffffffffffffffffffffff168260200151612f31565b841115611ee757602081015160608401516040517f13b7bff7000000000000000000000000000000000000000000000000000000008152600481018c90526001600160a01b03891660248201526044810187905260648101929092526fffffffffffffffffffffffffffffffff16608482015260a401610a51565b611f0b83608001516fffffffffffffffffffffffffffffffff168260400151612f31565b841115611f8857604080820151608085015191517f02d68026000000000000000000000000000000000000000000000000000000008152600481018c90526001600160a01b03891660248201526044810187905260648101919091526fffffffffffffffffffffffffffffffff909116608482015260a401610a51565b611fac8360a001516fffffffffffffffffffffffffffffffff168260600151612f31565b84111561202757606081015160a08401516040517fa17dd198000000000000000000000000000000000000000000000000000000008152600481018c90526001600160a01b03891660248201526044810187905260648101929092526fffffffffffffffffffffffffffffffff16608482015260a401610a51565b6001600160a01b038086169087168a7f7e4b252f767682d0486ac3e5e88e2e8ad6668a832a2093a4276be855019136068a88612064888289612fb0565b604080516001600160a01b03909416845260208401929092526dffffffffffffffffffffffffffff169082015263ffffffff8d16606082015260800160405180910390a4505050505050505050565b5f808267ffffffffffffffff8111156120ce576120ce614683565b6040519080825280602002602001820160405280156120f7578160200160208202803683370190505b5090505f5b83811015612189577f5820ae552a127f860d265e39eb936b7edf63f2c5c970aad3ff2538a3773fe002858583818110612137576121376146da565b905060e0020160405160200161214e929190614814565b60405160208183030381529060405280519060200120828281518110612176576121766146da565b60209081029190910101526001016120fc565b508060405160200161219b9190614829565b6040516020818303038152906040528051906020012091505092915050565b5f82826040516020016121ce92919061485e565b60405160208183030381529060405280519060200120905092915050565b8265ffffffffffff16421115612238576040517f1cb2bb5000000000000000000000000000000000000000000000000000000000815265ffffffffffff84166004820152602401610a51565b6002546040517fa3d545f5000000000000000000000000000000000000000000000000000000008152600481018790525f916001600160a01b03169063a3d545f590602401602060405180830381865afa158015612298573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906122bc919061464f565b5f8781526004602052604081208054916122d5836148cc565b909155506040805163ffffffff909316602084015282015265ffffffffffff8516606082015260800160405160208183030381529060405290505f612341868360405160200161232692919061491a565b60405160208183030381529060405280519060200120613255565b6002546040517f6352211e000000000000000000000000000000000000000000000000000000008152600481018a9052919250612408916001600160a01b0390911690636352211e90602401602060405180830381865afa1580156123a8573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906123cc9190614668565b8286868080601f0160208091040260200160405190810160405280939291908181526020018383808284375f9201919091525061329c92505050565b61088e576040517faada6cb000000000000000000000000000000000000000000000000000000000815260048101889052602401610a51565b6124516080880160608901614936565b60ff1615806124725750600361246d6080890160608a01614936565b60ff16115b156124bf576124876080880160608901614936565b6040517fc15fb8e500000000000000000000000000000000000000000000000000000000815260ff9091166004820152602401610a51565b6124cf606088016040890161494f565b65ffffffffffff166124e76040890160208a0161494f565b65ffffffffffff161061255857612504604088016020890161494f565b6125146060890160408a0161494f565b6040517f745c382600000000000000000000000000000000000000000000000000000000815265ffffffffffff928316600482015291166024820152604401610a51565b67ffffffffffffffff60a088013511156125a4576040517fcac2ce5900000000000000000000000000000000000000000000000000000000815260a08801356004820152602401610a51565b5f88815260066020526040812080549091908290600c906125da906c01000000000000000000000000900463ffffffff16614968565b91906101000a81548163ffffffff021916908363ffffffff16021790559050885f013560075f8c81526020019081526020015f2081905550886020016020810190612625919061494f565b82547fffffffffffffffffffffffffffffffffffffffffffffffffffff0000000000001665ffffffffffff9190911617825561266760608a0160408b0161494f565b825465ffffffffffff919091166601000000000000027fffffffffffffffffffffffffffffffffffffffff000000000000ffffffffffff9091161782556126b460808a0160608b01614936565b825460ff91909116700100000000000000000000000000000000027fffffffffffffffffffffffffffffff00ffffffffffffffffffffffffffffffff90911617825561270660a08a0160808b0161498c565b825490151571010000000000000000000000000000000000027fffffffffffffffffffffffffffff00ffffffffffffffffffffffffffffffffff90911617825561275083866149a5565b82547fffffff0000000000000000ffff00ffffffffffffffffffffffffffffffffffff169015157201000000000000000000000000000000000000027fffffff0000000000000000ffffffffffffffffffffffffffffffffffffffffff1617750100000000000000000000000000000000000000000060a08b013567ffffffffffffffff160217825560405189359063ffffffff8316908c907f9b3b40c77cbe5c6c16846ad2c5e191724b54523e82b9463c77675dbe5968632e90612816908e906149b8565b60405180910390a45f5b878110156128525761284a8b838b8b8581811061283f5761283f6146da565b905060e0020161330c565b600101612820565b505f5b85811015612898576128908b83898985818110612874576128746146da565b905060200201602081019061288991906149c6565b6001613611565b600101612855565b505f5b838110156128de576128d68b838787858181106128ba576128ba6146da565b90506020020160208101906128cf91906149c6565b6002613611565b60010161289b565b5050505050505050505050565b805f03612936576040517f12fd139c000000000000000000000000000000000000000000000000000000008152600481018590526001600160a01b0384166024820152604401610a51565b815f0361296f576040517f1f2a200500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80821115611035576040517f408695f0000000000000000000000000000000000000000000000000000000008152600481018590526001600160a01b03841660248201526044810183905260648101829052608401610a51565b6001600160a01b038216612a09576040517f76d4e1e800000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6002546040517fa3d545f5000000000000000000000000000000000000000000000000000000008152600481018590525f916001600160a01b03169063a3d545f590602401602060405180830381865afa158015612a69573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190612a8d919061464f565b60408051808201825263ffffffff83811680835265ffffffffffff87811660208086018281525f8d8152600583528881206001600160a01b038e1680835290845290899020975188549251909516640100000000027fffffffffffffffffffffffffffffffffffffffffffff00000000000000000000909216949096169390931792909217909455845191825281019290925292935086917fdb0c17104d9bf7f658d54727212913cf475c657a282355cf9c71f3e06522dc53910160405180910390a350505050565b8015612baf575f83815260066020526040902080547fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff167401000000000000000000000000000000000000000084151502179055612bfd565b5f83815260066020526040902080547fffffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffff16730100000000000000000000000000000000000000841515021790555b604080518315158152821515602082015284917fb359b7cca42003337b10efe6f226cac649e357597208267ef718b754b7d28ca8910160405180910390a2505050565b6060612c6b7f00000000000000000000000000000000000000000000000000000000000000006136c1565b905090565b6060612c6b7f00000000000000000000000000000000000000000000000000000000000000006136c1565b80545f90730100000000000000000000000000000000000000900460ff16158015612ce05750815474010000000000000000000000000000000000000000900460ff16155b80156109bc575081546109bc9065ffffffffffff808216916601000000000000900416612f8c565b5f8381526005602090815260408083206001600160a01b0386168452825280832081518083019092525463ffffffff80821680845264010000000090920465ffffffffffff169383019390935290918416148015612d6b575063ffffffff831615155b8015612d825750806020015165ffffffffffff1642105b95945050505050565b612dca6040518060c001604052805f81526020015f81526020015f81526020015f81526020015f63ffffffff1681526020015f63ffffffff1681525090565b835463ffffffff7c01000000000000000000000000000000000000000000000000000000008204811660a084015278010000000000000000000000000000000000000000000000008204811660808401526dffffffffffffffffffffffffffff821691740100000000000000000000000000000000000000009004168415612e7457612e6686846080015163ffffffff168385620151806136fe565b845263ffffffff1660808401525b8315612ea557612e94868460a0015163ffffffff16838562093a806136fe565b602085015263ffffffff1660a08401525b85546e010000000000000000000000000000900465ffffffffffff164210612ecd575f612eec565b6001860154612eec906dffffffffffffffffffffffffffff16836149e1565b60408401526001860154612f22906e01000000000000000000000000000090046dffffffffffffffffffffffffffff16836149e1565b60608401525090949350505050565b5f825f03612f6057507fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff6109bc565b818311612f6d575f6110e7565b6110e782846149e1565b5f818310612f8557816110e7565b5090919050565b5f428365ffffffffffff16111580156110e757505065ffffffffffff164210919050565b82545f906dffffffffffffffffffffffffffff81169074010000000000000000000000000000000000000000810463ffffffff16906e010000000000000000000000000000900465ffffffffffff164210613090576001860180547fffffffffffffffffffffffffffffffffffff0000000000000000000000000000166dffffffffffffffffffffffffffff841617905561304a426137de565b865465ffffffffffff919091166e010000000000000000000000000000027fffffffffffffffffffffffff000000000000ffffffffffffffffffffffffffff9091161786555b60408051808201825265ffffffffffff42811682526dffffffffffffffffffffffffffff808616602080850182815263ffffffff88165f90815260028e019092529590209351845495519092166601000000000000027fffffffffffffffffffffffff00000000000000000000000000000000000000009095169190921617929092179055613129906131249087906149a5565b6138b2565b86547fffffffffffffffffffffffffffffffffffff0000000000000000000000000000166dffffffffffffffffffffffffffff8216178755925061316e8160016149f4565b8654608086015160a0909601517fffffffff0000000000000000ffffffffffffffffffffffffffffffffffffffff9091167401000000000000000000000000000000000000000063ffffffff938416027fffffffff00000000ffffffffffffffffffffffffffffffffffffffffffffffff1617780100000000000000000000000000000000000000000000000096831696909602959095177bffffffffffffffffffffffffffffffffffffffffffffffffffffffff167c01000000000000000000000000000000000000000000000000000000009190951602939093179094559392505050565b5f6109bc613261613909565b836040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b5f836001600160a01b03163b5f036132fa575f5f6132ba8585613a32565b5090925090505f8160038111156132d3576132d3614135565b1480156132f15750856001600160a01b0316826001600160a01b0316145b925050506110e7565b613305848484613a7b565b90506110e7565b5f83815260086020908152604080832063ffffffff8616845282528220908290613338908501856149c6565b6001600160a01b0316815260208101919091526040015f2080549091506fffffffffffffffffffffffffffffffff16156133b75761337960208301836149c6565b6040517f22ae44940000000000000000000000000000000000000000000000000000000081526001600160a01b039091166004820152602401610a51565b6133c76040830160208401614a10565b81547fffffffffffffffffffffffffffffffff00000000000000000000000000000000166fffffffffffffffffffffffffffffffff9190911617815561341360e0830160c08401614a10565b81546fffffffffffffffffffffffffffffffff9182167001000000000000000000000000000000000291161781556134516060830160408401614a10565b6001820180547fffffffffffffffffffffffffffffffff00000000000000000000000000000000166fffffffffffffffffffffffffffffffff929092169190911790556134a46080830160608401614a10565b6001820180546fffffffffffffffffffffffffffffffff9283167001000000000000000000000000000000000292169190911790556134e960a0830160808401614a10565b6002820180547fffffffffffffffffffffffffffffffff00000000000000000000000000000000166fffffffffffffffffffffffffffffffff9290921691909117905561353c60c0830160a08401614a10565b6002820180546fffffffffffffffffffffffffffffffff9283167001000000000000000000000000000000000292169190911790555f848152600a6020908152604082206135b6929091613592908601866149c6565b6001600160a01b03166001600160a01b031681526020019081526020015f20613af9565b6135c360208301836149c6565b6001600160a01b03168363ffffffff16857f0dcbf0b1cef8b9b6845b028185eb88a170f9db58159e68afd3c999b05da8a52a856040516136039190614a29565b60405180910390a450505050565b5f84815260096020908152604080832063ffffffff8716845282528083206001600160a01b0386168452909152902080548291907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0016600183600281111561367b5761367b614135565b0217905550816001600160a01b03168363ffffffff16857f01beebfc7674dd43c0fc022bff48ba9a319494eee70a0a271de5ae396ca4e615846040516136039190614162565b60605f6136cd83613b75565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b5f8084815b8188101561378c575f60048210613727576001613720848b6149a5565b901c613729565b885b5f81815260028c016020526040902054909150429061375190889065ffffffffffff166149a5565b11613768576137618160016149a5565b985061377b565b6004821015613777575061378c565b8092505b50613785816148cc565b9050613703565b508686881061379b575f6137cf565b5f88815260028a0160205260409020546137cf90660100000000000090046dffffffffffffffffffffffffffff16876149e1565b92509250509550959350505050565b5f620151808204620afa6c810162023ab181068361016d62023ab083046105b484048403618eac850401030490506064810461016d820260048304010382035f6099600260058402010490505f600560026099840201048303870390505f6002600584068161384f5761384f614a37565b06601f03905082600b036138a05761019062023ab188040285016001016004810615801561388b57506064810615158061388b57506101908106155b61389657601c613899565b601d5b60ff169150505b01620151800298975050505050505050565b5f6dffffffffffffffffffffffffffff821115613905576040517f6dfcc6500000000000000000000000000000000000000000000000000000000081526070600482015260248101839052604401610a51565b5090565b5f306001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001614801561396157507f000000000000000000000000000000000000000000000000000000000000000046145b1561398b57507f000000000000000000000000000000000000000000000000000000000000000090565b612c6b604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b5f5f5f8351604103613a69576020840151604085015160608601515f1a613a5b88828585613bb5565b955095509550505050613a74565b505081515f91506002905b9250925092565b8051604080517f1626ba7e000000000000000000000000000000000000000000000000000000008082526004820186905260248201929092525f92906020820185604483015e5f82606483010152601f820160051c60051b915060205f60648401838a5afa9050825f5114601f3d1116811693505050509392505050565b805474010000000000000000000000000000000000000000900463ffffffff1615613b725780546001820180547fffffffff0000000000000000000000000000ffffffffffffffffffffffffffff166dffffffffffffffffffffffffffff9092166e010000000000000000000000000000029190911790555b50565b5f60ff8216601f8111156109bc576040517fb3512b0c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0841115613bee57505f91506003905082613c91565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015613c3f573d5f5f3e3d5ffd5b50506040517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe001519150506001600160a01b038116613c8857505f925060019150829050613c91565b92505f91508190505b9450945094915050565b6001600160a01b0381168114613b72575f5ffd5b803560ff81168114613cbf575f5ffd5b919050565b5f5f5f5f5f5f60c08789031215613cd9575f5ffd5b863595506020870135613ceb81613c9b565b94506040870135613cfb81613c9b565b93506060870135613d0b81613c9b565b925060808701359150613d2060a08801613caf565b90509295509295509295565b5f60c08284031215613d3c575f5ffd5b50919050565b5f5f83601f840112613d52575f5ffd5b50813567ffffffffffffffff811115613d69575f5ffd5b60208301915083602060e083028501011115613d83575f5ffd5b9250929050565b5f5f83601f840112613d9a575f5ffd5b50813567ffffffffffffffff811115613db1575f5ffd5b6020830191508360208260051b8501011115613d83575f5ffd5b803565ffffffffffff81168114613cbf575f5ffd5b5f5f83601f840112613df0575f5ffd5b50813567ffffffffffffffff811115613e07575f5ffd5b602083019150836020828501011115613d83575f5ffd5b5f5f5f5f5f5f5f5f5f5f5f6101808c8e031215613e39575f5ffd5b8b359a50613e4a8d60208e01613d2c565b995060e08c013567ffffffffffffffff811115613e65575f5ffd5b613e718e828f01613d42565b909a509850506101008c013567ffffffffffffffff811115613e91575f5ffd5b613e9d8e828f01613d8a565b9098509650506101208c013567ffffffffffffffff811115613ebd575f5ffd5b613ec98e828f01613d8a565b9096509450613edd90506101408d01613dcb565b92506101608c013567ffffffffffffffff811115613ef9575f5ffd5b613f058e828f01613de0565b915080935050809150509295989b509295989b9093969950565b5f60208284031215613f2f575f5ffd5b5035919050565b5f5f60408385031215613f47575f5ffd5b823591506020830135613f5981613c9b565b809150509250929050565b5f5f5f5f5f60a08688031215613f78575f5ffd5b853594506020860135613f8a81613c9b565b93506040860135613f9a81613c9b565b92506060860135613faa81613c9b565b949793965091946080013592915050565b5f60e0820190506001600160a01b0383511682526fffffffffffffffffffffffffffffffff60208401511660208301526fffffffffffffffffffffffffffffffff60408401511660408301526fffffffffffffffffffffffffffffffff60608401511660608301526fffffffffffffffffffffffffffffffff608084015116608083015260a083015161406260a08401826fffffffffffffffffffffffffffffffff169052565b5060c083015161408660c08401826fffffffffffffffffffffffffffffffff169052565b5092915050565b5f610120820190508251825265ffffffffffff602084015116602083015265ffffffffffff604084015116604083015260608301516140d4606084018263ffffffff169052565b5060808301516140e9608084018260ff169052565b5060a08301516140fd60a084018215159052565b5060c083015161411160c084018215159052565b5060e083015161412560e084018215159052565b5061010092830151919092015290565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b602081016003831061419b577f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b91905290565b5f5f5f5f5f5f60a087890312156141b6575f5ffd5b8635955060208701356141c881613c9b565b94506141d660408801613dcb565b93506141e460608801613dcb565b9250608087013567ffffffffffffffff8111156141ff575f5ffd5b61420b89828a01613de0565b979a9699509497509295939492505050565b80358015158114613cbf575f5ffd5b5f5f5f5f5f60808688031215614240575f5ffd5b853594506142506020870161421d565b935061425e60408701613dcb565b9250606086013567ffffffffffffffff811115614279575f5ffd5b61428588828901613de0565b969995985093965092949392505050565b5f81518084528060208401602086015e5f6020828601015260207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011685010191505092915050565b7fff000000000000000000000000000000000000000000000000000000000000008816815260e060208201525f61431c60e0830189614296565b828103604084015261432e8189614296565b606084018890526001600160a01b038716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b81811015614383578351835260209384019390920191600101614365565b50909b9a5050505050505050505050565b5f5f5f606084860312156143a6575f5ffd5b8335925060208401356143b881613c9b565b91506143c660408501613dcb565b90509250925092565b5f5f5f5f5f5f5f5f5f5f6101808b8d0312156143e9575f5ffd5b8a3599506143fa8c60208d01613d2c565b985060e08b013567ffffffffffffffff811115614415575f5ffd5b6144218d828e01613d42565b9099509750506101008b013567ffffffffffffffff811115614441575f5ffd5b61444d8d828e01613d8a565b9097509550506101208b013567ffffffffffffffff81111561446d575f5ffd5b6144798d828e01613d8a565b9095509350506101408b013561448e81613c9b565b915061449d6101608c01613dcb565b90509295989b9194979a5092959850565b5f5f5f5f5f5f5f5f610140898b0312156144c6575f5ffd5b883597506144d78a60208b01613d2c565b965060e089013567ffffffffffffffff8111156144f2575f5ffd5b6144fe8b828c01613d42565b90975095505061010089013567ffffffffffffffff81111561451e575f5ffd5b61452a8b828c01613d8a565b90955093505061012089013567ffffffffffffffff81111561454a575f5ffd5b6145568b828c01613d8a565b999c989b5096995094979396929594505050565b5f5f6040838503121561457b575f5ffd5b823561458681613c9b565b91506020830135613f5981613c9b565b5f5f604083850312156145a7575f5ffd5b823591506145b76020840161421d565b90509250929050565b8035825265ffffffffffff6145d760208301613dcb565b16602083015265ffffffffffff6145f060408301613dcb565b16604083015260ff61460460608301613caf565b1660608301526146166080820161421d565b1515608083015260a090810135910152565b82815260e081016110e760208301846145c0565b805163ffffffff81168114613cbf575f5ffd5b5f6020828403121561465f575f5ffd5b6110e78261463c565b5f60208284031215614678575f5ffd5b81516110e781613c9b565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b5f5f604083850312156146c1575f5ffd5b82516146cc81613c9b565b91506145b76020840161463c565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b80356fffffffffffffffffffffffffffffffff81168114613cbf575f5ffd5b803561473181613c9b565b6001600160a01b031682526fffffffffffffffffffffffffffffffff61475960208301614707565b1660208301526fffffffffffffffffffffffffffffffff61477c60408301614707565b1660408301526fffffffffffffffffffffffffffffffff61479f60608301614707565b1660608301526147b160808201614707565b6fffffffffffffffffffffffffffffffff1660808301526147d460a08201614707565b6fffffffffffffffffffffffffffffffff1660a08301526147f760c08201614707565b6fffffffffffffffffffffffffffffffff811660c0840152505050565b82815261010081016110e76020830184614726565b81515f90829060208501835b82811015614853578151845260209384019390910190600101614835565b509195945050505050565b5f8184825b8581101561489457813561487681613c9b565b6001600160a01b031683526020928301929190910190600101614863565b509095945050505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b5f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff82036148fc576148fc61489f565b5060010190565b5f81518060208401855e5f93019283525090919050565b5f61492e6149288386614903565b84614903565b949350505050565b5f60208284031215614946575f5ffd5b6110e782613caf565b5f6020828403121561495f575f5ffd5b6110e782613dcb565b5f63ffffffff821663ffffffff81036149835761498361489f565b60010192915050565b5f6020828403121561499c575f5ffd5b6110e78261421d565b808201808211156109bc576109bc61489f565b60c081016109bc82846145c0565b5f602082840312156149d6575f5ffd5b81356110e781613c9b565b818103818111156109bc576109bc61489f565b63ffffffff81811683821601908111156109bc576109bc61489f565b5f60208284031215614a20575f5ffd5b6110e782614707565b60e081016109bc8284614726565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffdfea164736f6c6343000825000a' as const;

/** The code on chain: its length, where the constructor writes into it, and its hash with those bytes zero. */
export const spendPolicyRuntime = {
  length: 19057,
  immutables: [[1709,32],[2939,32],[5361,32],[5801,32],[11335,32],[11383,32],[14613,32],[14655,32],[14697,32],[14778,32],[14818,32]],
  codeHash: '0xaa494d1e0a4af7b57db836d159fd8db62782f4455b1b39982243e6080193b1b8',
} as const;
