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
        "internalType": "enum SpendPolicy.Listing",
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
        "internalType": "enum SpendPolicy.Listing",
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
            "internalType": "uint64",
            "name": "categories",
            "type": "uint64"
          }
        ],
        "internalType": "struct SpendPolicy.Mandate",
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
  '0x6101a0604052348015610010575f5ffd5b50604051614bf3380380614bf383398101604081905261002f916101aa565b6040518060400160405280601881526020017f5361666548616e647368616b655370656e64506f6c6963790000000000000000815250604051806040016040528060018152602001603160f81b81525061008e8261014960201b60201c565b6101205261009b81610149565b61014052815160208084019190912060e052815190820120610100524660a05261012760e05161010051604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201529081019290925260608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b60805250503060c0526001600160a01b03918216610180521661016052610236565b5f5f829050601f8151111561017c578260405163305a27a960e01b815260040161017391906101db565b60405180910390fd5b805161018782610210565b179392505050565b80516001600160a01b03811681146101a5575f5ffd5b919050565b5f5f604083850312156101bb575f5ffd5b6101c48361018f565b91506101d26020840161018f565b90509250929050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b80516020808301519190811015610230575f198160200360031b1b821691505b50919050565b60805160a05160c05160e051610100516101205161014051610160516101805161494a6102a95f395f61141701525f81816105cc01528181610a9d01526115cf01525f612b3b01525f612b0b01525f6138ad01525f61388501525f6137e001525f61380a01525f613834015261494a5ff3fe608060405234801561000f575f5ffd5b50600436106101a5575f3560e01c80636594f281116100e85780639304266a11610093578063a1b764831161006e578063a1b76483146106dd578063bc8dbd9f146106f0578063d1ec9f141461074e578063daff97b514610761575f5ffd5b80639304266a146106945780639eecc958146106a7578063a04aa863146106ca575f5ffd5b806382162df5116100c357806382162df51461060157806384b0196e1461061457806387c5f2461461062f575f5ffd5b80636594f2811461055a578063724c184c146105c757806374f7bc00146105ee575f5ffd5b806337b7c1d311610153578063527cbaf71161012e578063527cbaf7146103b457806357a5fb57146103c7578063580b466a146103da578063591e7d9e14610547575f5ffd5b806337b7c1d31461025c57806347ccca021461037657806351160630146103a1575f5ffd5b80631790d35d116101835780631790d35d146102035780631ad4e1b1146102165780632cc5435a14610230575f5ffd5b8063049eec07146101a957806313d437ee146101be578063141a468c146101d1575b5f5ffd5b6101bc6101b7366004613b8f565b610774565b005b6101bc6101cc366004613ce9565b6107b6565b6101f06101df366004613dea565b60046020525f908152604090205481565b6040519081526020015b60405180910390f35b6101f0610211366004613e01565b6108a8565b61021e60ff81565b60405160ff90911681526020016101fa565b61024361023e366004613e2f565b6108e1565b60405167ffffffffffffffff90911681526020016101fa565b61036961026a366004613e01565b6040805160e0810182525f80825260208201819052918101829052606081018290526080810182905260a0810182905260c0810191909152505f8281526007602090815260408083206006835281842060019081015463ffffffff6c010000000000000000000000009091041685529083528184206001600160a01b03861680865290845293829020825160e08101845294855280546fffffffffffffffffffffffffffffffff8082169587019590955291810154808516938601939093527001000000000000000000000000000000009283900484166060860152600201548084166080860152829004831660a0850152041660c082015292915050565b6040516101fa9190613e86565b600254610389906001600160a01b031681565b6040516001600160a01b0390911681526020016101fa565b600354610389906001600160a01b031681565b6102436103c2366004613dea565b6109b3565b6101bc6103d5366004613e01565b610a7e565b61053a6103e8366004613dea565b60408051610120810182525f80825260208201819052918101829052606081018290526080810182905260a0810182905260c0810182905260e08101829052610100810191909152505f908152600660209081526040918290208251610120810184528154815260019091015465ffffffffffff80821693830193909352660100000000000081049092169281019290925263ffffffff6c01000000000000000000000000820416606083015260ff7001000000000000000000000000000000008204811660808401527101000000000000000000000000000000000082048116151560a0840152720100000000000000000000000000000000000082048116151560c0840152730100000000000000000000000000000000000000820416151560e083015267ffffffffffffffff740100000000000000000000000000000000000000009091041661010082015290565b6040516101fa9190613f58565b6101bc610555366004613b8f565b610c16565b6105ba610568366004613e01565b5f91825260086020908152604080842060068352818520600101546c01000000000000000000000000900463ffffffff16855282528084206001600160a01b0393909316845291905290205460ff1690565b6040516101fa919061403b565b6103897f000000000000000000000000000000000000000000000000000000000000000081565b6101bc6105fc36600461407a565b610d45565b6101bc61060f366004614105565b610dc6565b61061c610e1e565b6040516101fa97969594939291906141bb565b61067161063d366004613e01565b600560209081525f928352604080842090915290825290205463ffffffff811690640100000000900465ffffffffffff1682565b6040805163ffffffff909316835265ffffffffffff9091166020830152016101fa565b6101bc6106a236600461426d565b610e7c565b6106ba6106b5366004613e01565b610f5e565b60405190151581526020016101fa565b6101bc6106d83660046142a8565b611011565b6101bc6106eb366004614387565b6110df565b6107036106fe366004613e01565b6111cb565b6040516101fa91905f60c082019050825182526020830151602083015260408301516040830152606083015160608301526080830151608083015260a083015160a083015292915050565b6101bc61075c366004614443565b61140c565b6101bc61076f36600461446f565b6115c4565b5f610781878760016116e2565b50905061078f878286611a67565b5061079b878284611b30565b6107ad87826060015188888888611ba6565b50505050505050565b5f7fe237ffd3883a5fe5e32981fe24a80bd37970418e66c72b6b2c5b574bbb5e3fee8c7f748a4dc88c7eee124c27762f9d9deec99a8cd48bd10bd347306c8a60ef19df558d60405160200161080c929190614501565b6040516020818303038152906040528051906020012061082c8d8d611fb4565b6108368c8c6120bb565b6108408b8b6120bb565b6040805160208101979097528601949094526060850192909252608084015260a083015260c082015260e001604051602081830303815290604052905061088a8c828686866120ed565b61089a8c8c8c8c8c8c8c8c612342565b505050505050505050505050565b5f8281526009602090815260408083206001600160a01b03851684529091529020546dffffffffffffffffffffffffffff165b92915050565b5f5f5f6108f0888860016116e2565b915091505f610900898488611a67565b905082610100015167ffffffffffffffff165f14158015610933575060018160028111156109305761093061400e565b14155b15610979576040517f3aeaebc6000000000000000000000000000000000000000000000000000000008152600481018a905260ff60248201526044015b60405180910390fd5b61098b8984606001518a8a8a8a611ba6565b606083015163ffffffff16602083901b67ffffffff0000000016179998505050505050505050565b6002546040517fa3d545f5000000000000000000000000000000000000000000000000000000008152600481018390525f916108db916001600160a01b039091169063a3d545f590602401602060405180830381865afa158015610a19573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610a3d9190614528565b5f848152600660205260409020600101546c01000000000000000000000000900463ffffffff1663ffffffff1660209190911b67ffffffff00000000161790565b336001600160a01b03821614801590610ac05750336001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001614155b8015610b6157506002546040517f6352211e000000000000000000000000000000000000000000000000000000008152600481018490526001600160a01b0390911690636352211e90602401602060405180830381865afa158015610b27573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610b4b9190614541565b6001600160a01b0316336001600160a01b031614155b15610ba1576040517fb9c0876100000000000000000000000000000000000000000000000000000000815260048101839052336024820152604401610970565b5f8281526005602090815260408083206001600160a01b038516808552925280832080547fffffffffffffffffffffffffffffffffffffffffffff0000000000000000000016905551339285917f8fe4ccf52a9f14e2a02f02a286f8266fc2eb87216cad1c29a00868f73206e7689190a45050565b5f610c23878760026116e2565b509050610c31878286611a67565b50610c3d878284611b30565b5f878152600760209081526040808320606085015163ffffffff16845282528083206001600160a01b038916845290915290208054610c93908990889087906fffffffffffffffffffffffffffffffff166127ab565b805470010000000000000000000000000000000090046fffffffffffffffffffffffffffffffff16841015610d3b5780546040517f7332e4a4000000000000000000000000000000000000000000000000000000008152600481018a90526001600160a01b0388166024820152604481018690527001000000000000000000000000000000009091046fffffffffffffffffffffffffffffffff166064820152608401610970565b5050505050505050565b604080517f70a6c740932e69b4d6f3ca747070cf913b8e57b942de5ea037aa6b67e01b131c60208201529081018790526001600160a01b038616606082015265ffffffffffff85166080820152610db390879060a0015b6040516020818303038152906040528585856120ed565b610dbe868686612889565b505050505050565b604080517fd75c3ffdea1253fc7590e3f294a740e464ca246f192e1171ae22fa2de2412b2460208201529081018690528415156060820152610e0c908690608001610d9c565b610e1785855f612a16565b5050505050565b5f6060805f5f5f6060610e2f612b04565b610e37612b34565b604080515f808252602082019092527f0f000000000000000000000000000000000000000000000000000000000000009b939a50919850469750309650945092509050565b6002546040517f6352211e00000000000000000000000000000000000000000000000000000000815260048101859052849133916001600160a01b0390911690636352211e90602401602060405180830381865afa158015610ee0573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610f049190614541565b6001600160a01b031614610f4d576040517fb9c0876100000000000000000000000000000000000000000000000000000000815260048101829052336024820152604401610970565b610f58848484612889565b50505050565b5f828152600660205260408120610f7490612b5f565b801561100a57506002546040517fa3d545f50000000000000000000000000000000000000000000000000000000081526004810185905261100a91859185916001600160a01b03169063a3d545f590602401602060405180830381865afa158015610fe1573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906110059190614528565b612bd3565b9392505050565b6002546001600160a01b03163314611057576040517f14c12c2c000000000000000000000000000000000000000000000000000000008152336004820152602401610970565b5f8a8152600660205260409020600101546c01000000000000000000000000900463ffffffff16156110b8576040517f516d6095000000000000000000000000000000000000000000000000000000008152600481018b9052602401610970565b6110c88a8a8a8a8a8a8a8a612342565b6110d38a8383612889565b50505050505050505050565b6002546040517f6352211e000000000000000000000000000000000000000000000000000000008152600481018a9052899133916001600160a01b0390911690636352211e90602401602060405180830381865afa158015611143573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906111679190614541565b6001600160a01b0316146111b0576040517fb9c0876100000000000000000000000000000000000000000000000000000000815260048101829052336024820152604401610970565b6111c08989898989898989612342565b505050505050505050565b6111fe6040518060c001604052805f81526020015f81526020015f81526020015f81526020015f81526020015f81525090565b5f8381526006602090815260408083206007835281842060018083015463ffffffff6c01000000000000000000000000909104811687529185528386206001600160a01b038916808852908652848720855160c08101875281546fffffffffffffffffffffffffffffffff8082168352700100000000000000000000000000000000918290048116838b015283860154808216848b01528290048116606084015260029093015480841660808401520490911660a08201528a88526009875285882091885295529285209194926112d892918190612c5616565b82516fffffffffffffffffffffffffffffffff90811686526040840151825192935061130692911690612dfc565b84602001818152505061133382606001516fffffffffffffffffffffffffffffffff168260200151612dfc565b84604001818152505061136082608001516fffffffffffffffffffffffffffffffff168260400151612dfc565b84606001818152505061138d8260a001516fffffffffffffffffffffffffffffffff168260600151612dfc565b608085015261139b83612b5f565b80156113c0575060018381015470010000000000000000000000000000000090041615155b15611403576113fd6113f36113dc865f01518760200151612e42565b6113ee87604001518860600151612e42565b612e42565b8560800151612e42565b60a08501525b50505092915050565b336001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001614611470576040517f0c8cc036000000000000000000000000000000000000000000000000000000008152336004820152602401610970565b6002546001600160a01b0316156114b3576040517f682a906500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b816001600160a01b03163b5f03611501576040517f8a8b41ec0000000000000000000000000000000000000000000000000000000081526001600160a01b0383166004820152602401610970565b806001600160a01b03163b5f0361154f576040517f8a8b41ec0000000000000000000000000000000000000000000000000000000081526001600160a01b0382166004820152602401610970565b600280547fffffffffffffffffffffffff00000000000000000000000000000000000000009081166001600160a01b03858116918217909355600380549092169284169283179091556040517f0d128562eaa47ab89086803e64a0f96847c0ed3cc63c26251f29ba1aede09d4e905f90a35050565b336001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000161480158161169257506002546040517f6352211e000000000000000000000000000000000000000000000000000000008152600481018590526001600160a01b0390911690636352211e90602401602060405180830381865afa158015611658573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061167c9190614541565b6001600160a01b0316336001600160a01b031614155b156116d2576040517fb9c0876100000000000000000000000000000000000000000000000000000000815260048101849052336024820152604401610970565b6116dd838383612a16565b505050565b60408051610120810182525f80825260208201819052818301819052606082018190526080820181905260a0820181905260c0820181905260e08201819052610100820181905260025492517f2d1e19e8000000000000000000000000000000000000000000000000000000008152600481018790529192909182916001600160a01b031690632d1e19e8906024016040805180830381865afa15801561178b573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906117af9190614589565b925090506001600160a01b03811633146117fe576040517f228d703500000000000000000000000000000000000000000000000000000000815260048101879052336024820152604401610970565b5f868152600660209081526040918290208251610120810184528154815260019091015465ffffffffffff8082169383019390935266010000000000008104909216928101929092526c01000000000000000000000000810463ffffffff166060830152700100000000000000000000000000000000810460ff90811660808401527101000000000000000000000000000000000082048116151560a0840152720100000000000000000000000000000000000082048116151560c084018190527301000000000000000000000000000000000000008304909116151560e08401527401000000000000000000000000000000000000000090910467ffffffffffffffff166101008301529093508061191857508260e001515b15611952576040517f5561eb5800000000000000000000000000000000000000000000000000000000815260048101879052602401610970565b61195d868684612bd3565b6119a5576040517f9f43dec6000000000000000000000000000000000000000000000000000000008152600481018790526001600160a01b0386166024820152604401610970565b6119b783602001518460400151612e57565b611a1057602083015160408085015190517fb148e9500000000000000000000000000000000000000000000000000000000081526004810189905265ffffffffffff928316602482015291166044820152606401610970565b8383608001511660ff165f03611a5e576040517f32644f040000000000000000000000000000000000000000000000000000000081526004810187905260ff85166024820152604401610970565b50935093915050565b5f838152600860209081526040808320606086015163ffffffff16845282528083206001600160a01b03851680855292529091205460ff1690331480611abe57506002816002811115611abc57611abc61400e565b145b80611ae757508260a001518015611ae757506001816002811115611ae457611ae461400e565b14155b1561100a576040517f626ec5f9000000000000000000000000000000000000000000000000000000008152600481018590526001600160a01b0383166024820152604401610970565b61010082015167ffffffffffffffff1615801590611b63575061010082015167ffffffffffffffff1660ff82161c600116155b156116dd576040517f3aeaebc60000000000000000000000000000000000000000000000000000000081526004810184905260ff82166024820152604401610970565b5f86815260076020908152604080832063ffffffff8916845282528083206001600160a01b0387168452825291829020825160c08101845281546fffffffffffffffffffffffffffffffff80821680845270010000000000000000000000000000000092839004821695840195909552600184015480821696840196909652948190048516606083015260029092015480851660808301529190910490921660a0830152611c59908890869085906127ab565b5f8781526009602090815260408083206001600160a01b0388168452909152808220908301516060840151919291611cac9184916fffffffffffffffffffffffffffffffff918216151591161515612c56565b9050611cd183604001516fffffffffffffffffffffffffffffffff16825f0151612dfc565b841115611d4957805160408481015190517f2f601b0f000000000000000000000000000000000000000000000000000000008152600481018c90526001600160a01b03891660248201526044810187905260648101929092526fffffffffffffffffffffffffffffffff16608482015260a401610970565b611d6d83606001516fffffffffffffffffffffffffffffffff168260200151612dfc565b841115611de857602081015160608401516040517f13b7bff7000000000000000000000000000000000000000000000000000000008152600481018c90526001600160a01b03891660248201526044810187905260648101929092526fffffffffffffffffffffffffffffffff16608482015260a401610970565b611e0c83608001516fffffffffffffffffffffffffffffffff168260400151612dfc565b841115611e8957604080820151608085015191517f02d68026000000000000000000000000000000000000000000000000000000008152600481018c90526001600160a01b03891660248201526044810187905260648101919091526fffffffffffffffffffffffffffffffff909116608482015260a401610970565b611ead8360a001516fffffffffffffffffffffffffffffffff168260600151612dfc565b841115611f2857606081015160a08401516040517fa17dd198000000000000000000000000000000000000000000000000000000008152600481018c90526001600160a01b03891660248201526044810187905260648101929092526fffffffffffffffffffffffffffffffff16608482015260a401610970565b6001600160a01b038086169087168a7f7e4b252f767682d0486ac3e5e88e2e8ad6668a832a2093a4276be855019136068a88611f65888289612e7b565b604080516001600160a01b03909416845260208401929092526dffffffffffffffffffffffffffff169082015263ffffffff8d16606082015260800160405180910390a4505050505050505050565b5f808267ffffffffffffffff811115611fcf57611fcf61455c565b604051908082528060200260200182016040528015611ff8578160200160208202803683370190505b5090505f5b8381101561208a577f5820ae552a127f860d265e39eb936b7edf63f2c5c970aad3ff2538a3773fe002858583818110612038576120386145b3565b905060e0020160405160200161204f9291906146ed565b60405160208183030381529060405280519060200120828281518110612077576120776145b3565b6020908102919091010152600101611ffd565b508060405160200161209c9190614702565b6040516020818303038152906040528051906020012091505092915050565b5f82826040516020016120cf929190614737565b60405160208183030381529060405280519060200120905092915050565b8265ffffffffffff16421115612139576040517f1cb2bb5000000000000000000000000000000000000000000000000000000000815265ffffffffffff84166004820152602401610970565b6002546040517fa3d545f5000000000000000000000000000000000000000000000000000000008152600481018790525f916001600160a01b03169063a3d545f590602401602060405180830381865afa158015612199573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906121bd9190614528565b5f8781526004602052604081208054916121d6836147a5565b909155506040805163ffffffff909316602084015282015265ffffffffffff8516606082015260800160405160208183030381529060405290505f61224286836040516020016122279291906147f3565b60405160208183030381529060405280519060200120613120565b6002546040517f6352211e000000000000000000000000000000000000000000000000000000008152600481018a9052919250612309916001600160a01b0390911690636352211e90602401602060405180830381865afa1580156122a9573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906122cd9190614541565b8286868080601f0160208091040260200160405190810160405280939291908181526020018383808284375f9201919091525061316792505050565b6107ad576040517faada6cb000000000000000000000000000000000000000000000000000000000815260048101889052602401610970565b612352608088016060890161480f565b60ff1615806123735750600361236e6080890160608a0161480f565b60ff16115b156123c057612388608088016060890161480f565b6040517fc15fb8e500000000000000000000000000000000000000000000000000000000815260ff9091166004820152602401610970565b6123d06060880160408901614828565b65ffffffffffff166123e86040890160208a01614828565b65ffffffffffff1610612459576124056040880160208901614828565b6124156060890160408a01614828565b6040517f745c382600000000000000000000000000000000000000000000000000000000815265ffffffffffff928316600482015291166024820152604401610970565b67ffffffffffffffff60a088013511156124a5576040517fcac2ce5900000000000000000000000000000000000000000000000000000000815260a08801356004820152602401610970565b5f888152600660205260408120600181018054919291600c906124dd906c01000000000000000000000000900463ffffffff16614841565b825463ffffffff8083166101009490940a938402930219169190911790915589358355905061251260408a0160208b01614828565b6001830180547fffffffffffffffffffffffffffffffffffffffffffffffffffff0000000000001665ffffffffffff9290921691909117905561255b60608a0160408b01614828565b60018301805465ffffffffffff929092166601000000000000027fffffffffffffffffffffffffffffffffffffffff000000000000ffffffffffff9092169190911790556125af60808a0160608b0161480f565b60018301805460ff92909216700100000000000000000000000000000000027fffffffffffffffffffffffffffffff00ffffffffffffffffffffffffffffffff90921691909117905561260860a08a0160808b01614865565b6001830180547fffffffff0000000000000000ffff00ffffffffffffffffffffffffffffffffff1671010000000000000000000000000000000000921515929092027fffffffff0000000000000000ffffffffffffffffffffffffffffffffffffffff16919091177401000000000000000000000000000000000000000060a08c013567ffffffffffffffff160217905560405189359063ffffffff8316908c907f9b3b40c77cbe5c6c16846ad2c5e191724b54523e82b9463c77675dbe5968632e906126d6908e9061487e565b60405180910390a45f5b878110156127125761270a8b838b8b858181106126ff576126ff6145b3565b905060e002016131d7565b6001016126e0565b505f5b85811015612758576127508b83898985818110612734576127346145b3565b9050602002016020810190612749919061488c565b60016134dc565b600101612715565b505f5b8381101561279e576127968b8387878581811061277a5761277a6145b3565b905060200201602081019061278f919061488c565b60026134dc565b60010161275b565b5050505050505050505050565b805f036127f6576040517f12fd139c000000000000000000000000000000000000000000000000000000008152600481018590526001600160a01b0384166024820152604401610970565b815f0361282f576040517f1f2a200500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80821115610f58576040517f408695f0000000000000000000000000000000000000000000000000000000008152600481018590526001600160a01b03841660248201526044810183905260648101829052608401610970565b6001600160a01b0382166128c9576040517f76d4e1e800000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6002546040517fa3d545f5000000000000000000000000000000000000000000000000000000008152600481018590525f916001600160a01b03169063a3d545f590602401602060405180830381865afa158015612929573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061294d9190614528565b60408051808201825263ffffffff83811680835265ffffffffffff87811660208086018281525f8d8152600583528881206001600160a01b038e1680835290845290899020975188549251909516640100000000027fffffffffffffffffffffffffffffffffffffffffffff00000000000000000000909216949096169390931792909217909455845191825281019290925292935086917fdb0c17104d9bf7f658d54727212913cf475c657a282355cf9c71f3e06522dc53910160405180910390a350505050565b8015612a71575f83815260066020526040902060010180547fffffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffff1673010000000000000000000000000000000000000084151502179055612ac1565b5f83815260066020526040902060010180547fffffffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffff167201000000000000000000000000000000000000841515021790555b604080518315158152821515602082015284917fb359b7cca42003337b10efe6f226cac649e357597208267ef718b754b7d28ca8910160405180910390a2505050565b6060612b2f7f000000000000000000000000000000000000000000000000000000000000000061358c565b905090565b6060612b2f7f000000000000000000000000000000000000000000000000000000000000000061358c565b60018101545f907201000000000000000000000000000000000000900460ff16158015612ba857506001820154730100000000000000000000000000000000000000900460ff16155b80156108db575060018201546108db9065ffffffffffff808216916601000000000000900416612e57565b5f8381526005602090815260408083206001600160a01b0386168452825280832081518083019092525463ffffffff80821680845264010000000090920465ffffffffffff169383019390935290918416148015612c36575063ffffffff831615155b8015612c4d5750806020015165ffffffffffff1642105b95945050505050565b612c956040518060c001604052805f81526020015f81526020015f81526020015f81526020015f63ffffffff1681526020015f63ffffffff1681525090565b835463ffffffff7c01000000000000000000000000000000000000000000000000000000008204811660a084015278010000000000000000000000000000000000000000000000008204811660808401526dffffffffffffffffffffffffffff821691740100000000000000000000000000000000000000009004168415612d3f57612d3186846080015163ffffffff168385620151806135c9565b845263ffffffff1660808401525b8315612d7057612d5f868460a0015163ffffffff16838562093a806135c9565b602085015263ffffffff1660a08401525b85546e010000000000000000000000000000900465ffffffffffff164210612d98575f612db7565b6001860154612db7906dffffffffffffffffffffffffffff16836148a7565b60408401526001860154612ded906e01000000000000000000000000000090046dffffffffffffffffffffffffffff16836148a7565b60608401525090949350505050565b5f825f03612e2b57507fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff6108db565b818311612e38575f61100a565b61100a82846148a7565b5f818310612e50578161100a565b5090919050565b5f428365ffffffffffff161115801561100a57505065ffffffffffff164210919050565b82545f906dffffffffffffffffffffffffffff81169074010000000000000000000000000000000000000000810463ffffffff16906e010000000000000000000000000000900465ffffffffffff164210612f5b576001860180547fffffffffffffffffffffffffffffffffffff0000000000000000000000000000166dffffffffffffffffffffffffffff8416179055612f15426136a9565b865465ffffffffffff919091166e010000000000000000000000000000027fffffffffffffffffffffffff000000000000ffffffffffffffffffffffffffff9091161786555b60408051808201825265ffffffffffff42811682526dffffffffffffffffffffffffffff808616602080850182815263ffffffff88165f90815260028e019092529590209351845495519092166601000000000000027fffffffffffffffffffffffff00000000000000000000000000000000000000009095169190921617929092179055612ff490612fef9087906148ba565b61377d565b86547fffffffffffffffffffffffffffffffffffff0000000000000000000000000000166dffffffffffffffffffffffffffff821617875592506130398160016148cd565b8654608086015160a0909601517fffffffff0000000000000000ffffffffffffffffffffffffffffffffffffffff9091167401000000000000000000000000000000000000000063ffffffff938416027fffffffff00000000ffffffffffffffffffffffffffffffffffffffffffffffff1617780100000000000000000000000000000000000000000000000096831696909602959095177bffffffffffffffffffffffffffffffffffffffffffffffffffffffff167c01000000000000000000000000000000000000000000000000000000009190951602939093179094559392505050565b5f6108db61312c6137d4565b836040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b5f836001600160a01b03163b5f036131c5575f5f61318585856138fd565b5090925090505f81600381111561319e5761319e61400e565b1480156131bc5750856001600160a01b0316826001600160a01b0316145b9250505061100a565b6131d0848484613946565b905061100a565b5f83815260076020908152604080832063ffffffff86168452825282209082906132039085018561488c565b6001600160a01b0316815260208101919091526040015f2080549091506fffffffffffffffffffffffffffffffff161561328257613244602083018361488c565b6040517f22ae44940000000000000000000000000000000000000000000000000000000081526001600160a01b039091166004820152602401610970565b61329260408301602084016148e9565b81547fffffffffffffffffffffffffffffffff00000000000000000000000000000000166fffffffffffffffffffffffffffffffff919091161781556132de60e0830160c084016148e9565b81546fffffffffffffffffffffffffffffffff91821670010000000000000000000000000000000002911617815561331c60608301604084016148e9565b6001820180547fffffffffffffffffffffffffffffffff00000000000000000000000000000000166fffffffffffffffffffffffffffffffff9290921691909117905561336f60808301606084016148e9565b6001820180546fffffffffffffffffffffffffffffffff9283167001000000000000000000000000000000000292169190911790556133b460a08301608084016148e9565b6002820180547fffffffffffffffffffffffffffffffff00000000000000000000000000000000166fffffffffffffffffffffffffffffffff9290921691909117905561340760c0830160a084016148e9565b6002820180546fffffffffffffffffffffffffffffffff9283167001000000000000000000000000000000000292169190911790555f848152600960209081526040822061348192909161345d9086018661488c565b6001600160a01b03166001600160a01b031681526020019081526020015f206139c4565b61348e602083018361488c565b6001600160a01b03168363ffffffff16857f0dcbf0b1cef8b9b6845b028185eb88a170f9db58159e68afd3c999b05da8a52a856040516134ce9190614902565b60405180910390a450505050565b5f84815260086020908152604080832063ffffffff8716845282528083206001600160a01b0386168452909152902080548291907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001660018360028111156135465761354661400e565b0217905550816001600160a01b03168363ffffffff16857f01beebfc7674dd43c0fc022bff48ba9a319494eee70a0a271de5ae396ca4e615846040516134ce919061403b565b60605f61359883613a40565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b5f8084815b81881015613657575f600482106135f25760016135eb848b6148ba565b901c6135f4565b885b5f81815260028c016020526040902054909150429061361c90889065ffffffffffff166148ba565b116136335761362c8160016148ba565b9850613646565b60048210156136425750613657565b8092505b50613650816147a5565b90506135ce565b5086868810613666575f61369a565b5f88815260028a01602052604090205461369a90660100000000000090046dffffffffffffffffffffffffffff16876148a7565b92509250509550959350505050565b5f620151808204620afa6c810162023ab181068361016d62023ab083046105b484048403618eac850401030490506064810461016d820260048304010382035f6099600260058402010490505f600560026099840201048303870390505f6002600584068161371a5761371a614910565b06601f03905082600b0361376b5761019062023ab188040285016001016004810615801561375657506064810615158061375657506101908106155b61376157601c613764565b601d5b60ff169150505b01620151800298975050505050505050565b5f6dffffffffffffffffffffffffffff8211156137d0576040517f6dfcc6500000000000000000000000000000000000000000000000000000000081526070600482015260248101839052604401610970565b5090565b5f306001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001614801561382c57507f000000000000000000000000000000000000000000000000000000000000000046145b1561385657507f000000000000000000000000000000000000000000000000000000000000000090565b612b2f604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b5f5f5f8351604103613934576020840151604085015160608601515f1a61392688828585613a80565b95509550955050505061393f565b505081515f91506002905b9250925092565b8051604080517f1626ba7e000000000000000000000000000000000000000000000000000000008082526004820186905260248201929092525f92906020820185604483015e5f82606483010152601f820160051c60051b915060205f60648401838a5afa9050825f5114601f3d1116811693505050509392505050565b805474010000000000000000000000000000000000000000900463ffffffff1615613a3d5780546001820180547fffffffff0000000000000000000000000000ffffffffffffffffffffffffffff166dffffffffffffffffffffffffffff9092166e010000000000000000000000000000029190911790555b50565b5f60ff8216601f8111156108db576040517fb3512b0c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0841115613ab957505f91506003905082613b5c565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015613b0a573d5f5f3e3d5ffd5b50506040517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe001519150506001600160a01b038116613b5357505f925060019150829050613b5c565b92505f91508190505b9450945094915050565b6001600160a01b0381168114613a3d575f5ffd5b803560ff81168114613b8a575f5ffd5b919050565b5f5f5f5f5f5f60c08789031215613ba4575f5ffd5b863595506020870135613bb681613b66565b94506040870135613bc681613b66565b93506060870135613bd681613b66565b925060808701359150613beb60a08801613b7a565b90509295509295509295565b5f60c08284031215613c07575f5ffd5b50919050565b5f5f83601f840112613c1d575f5ffd5b50813567ffffffffffffffff811115613c34575f5ffd5b60208301915083602060e083028501011115613c4e575f5ffd5b9250929050565b5f5f83601f840112613c65575f5ffd5b50813567ffffffffffffffff811115613c7c575f5ffd5b6020830191508360208260051b8501011115613c4e575f5ffd5b803565ffffffffffff81168114613b8a575f5ffd5b5f5f83601f840112613cbb575f5ffd5b50813567ffffffffffffffff811115613cd2575f5ffd5b602083019150836020828501011115613c4e575f5ffd5b5f5f5f5f5f5f5f5f5f5f5f6101808c8e031215613d04575f5ffd5b8b359a50613d158d60208e01613bf7565b995060e08c013567ffffffffffffffff811115613d30575f5ffd5b613d3c8e828f01613c0d565b909a509850506101008c013567ffffffffffffffff811115613d5c575f5ffd5b613d688e828f01613c55565b9098509650506101208c013567ffffffffffffffff811115613d88575f5ffd5b613d948e828f01613c55565b9096509450613da890506101408d01613c96565b92506101608c013567ffffffffffffffff811115613dc4575f5ffd5b613dd08e828f01613cab565b915080935050809150509295989b509295989b9093969950565b5f60208284031215613dfa575f5ffd5b5035919050565b5f5f60408385031215613e12575f5ffd5b823591506020830135613e2481613b66565b809150509250929050565b5f5f5f5f5f60a08688031215613e43575f5ffd5b853594506020860135613e5581613b66565b93506040860135613e6581613b66565b92506060860135613e7581613b66565b949793965091946080013592915050565b5f60e0820190506001600160a01b0383511682526fffffffffffffffffffffffffffffffff60208401511660208301526fffffffffffffffffffffffffffffffff60408401511660408301526fffffffffffffffffffffffffffffffff60608401511660608301526fffffffffffffffffffffffffffffffff608084015116608083015260a0830151613f2d60a08401826fffffffffffffffffffffffffffffffff169052565b5060c0830151613f5160c08401826fffffffffffffffffffffffffffffffff169052565b5092915050565b5f610120820190508251825265ffffffffffff602084015116602083015265ffffffffffff60408401511660408301526060830151613f9f606084018263ffffffff169052565b506080830151613fb4608084018260ff169052565b5060a0830151613fc860a084018215159052565b5060c0830151613fdc60c084018215159052565b5060e0830151613ff060e084018215159052565b50610100830151613f5161010084018267ffffffffffffffff169052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b6020810160038310614074577f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b91905290565b5f5f5f5f5f5f60a0878903121561408f575f5ffd5b8635955060208701356140a181613b66565b94506140af60408801613c96565b93506140bd60608801613c96565b9250608087013567ffffffffffffffff8111156140d8575f5ffd5b6140e489828a01613cab565b979a9699509497509295939492505050565b80358015158114613b8a575f5ffd5b5f5f5f5f5f60808688031215614119575f5ffd5b85359450614129602087016140f6565b935061413760408701613c96565b9250606086013567ffffffffffffffff811115614152575f5ffd5b61415e88828901613cab565b969995985093965092949392505050565b5f81518084528060208401602086015e5f6020828601015260207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011685010191505092915050565b7fff000000000000000000000000000000000000000000000000000000000000008816815260e060208201525f6141f560e083018961416f565b8281036040840152614207818961416f565b606084018890526001600160a01b038716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b8181101561425c57835183526020938401939092019160010161423e565b50909b9a5050505050505050505050565b5f5f5f6060848603121561427f575f5ffd5b83359250602084013561429181613b66565b915061429f60408501613c96565b90509250925092565b5f5f5f5f5f5f5f5f5f5f6101808b8d0312156142c2575f5ffd5b8a3599506142d38c60208d01613bf7565b985060e08b013567ffffffffffffffff8111156142ee575f5ffd5b6142fa8d828e01613c0d565b9099509750506101008b013567ffffffffffffffff81111561431a575f5ffd5b6143268d828e01613c55565b9097509550506101208b013567ffffffffffffffff811115614346575f5ffd5b6143528d828e01613c55565b9095509350506101408b013561436781613b66565b91506143766101608c01613c96565b90509295989b9194979a5092959850565b5f5f5f5f5f5f5f5f610140898b03121561439f575f5ffd5b883597506143b08a60208b01613bf7565b965060e089013567ffffffffffffffff8111156143cb575f5ffd5b6143d78b828c01613c0d565b90975095505061010089013567ffffffffffffffff8111156143f7575f5ffd5b6144038b828c01613c55565b90955093505061012089013567ffffffffffffffff811115614423575f5ffd5b61442f8b828c01613c55565b999c989b5096995094979396929594505050565b5f5f60408385031215614454575f5ffd5b823561445f81613b66565b91506020830135613e2481613b66565b5f5f60408385031215614480575f5ffd5b82359150614490602084016140f6565b90509250929050565b8035825265ffffffffffff6144b060208301613c96565b16602083015265ffffffffffff6144c960408301613c96565b16604083015260ff6144dd60608301613b7a565b1660608301526144ef608082016140f6565b1515608083015260a090810135910152565b82815260e0810161100a6020830184614499565b805163ffffffff81168114613b8a575f5ffd5b5f60208284031215614538575f5ffd5b61100a82614515565b5f60208284031215614551575f5ffd5b815161100a81613b66565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b5f5f6040838503121561459a575f5ffd5b82516145a581613b66565b915061449060208401614515565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b80356fffffffffffffffffffffffffffffffff81168114613b8a575f5ffd5b803561460a81613b66565b6001600160a01b031682526fffffffffffffffffffffffffffffffff614632602083016145e0565b1660208301526fffffffffffffffffffffffffffffffff614655604083016145e0565b1660408301526fffffffffffffffffffffffffffffffff614678606083016145e0565b16606083015261468a608082016145e0565b6fffffffffffffffffffffffffffffffff1660808301526146ad60a082016145e0565b6fffffffffffffffffffffffffffffffff1660a08301526146d060c082016145e0565b6fffffffffffffffffffffffffffffffff811660c0840152505050565b828152610100810161100a60208301846145ff565b81515f90829060208501835b8281101561472c57815184526020938401939091019060010161470e565b509195945050505050565b5f8184825b8581101561476d57813561474f81613b66565b6001600160a01b03168352602092830192919091019060010161473c565b509095945050505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b5f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff82036147d5576147d5614778565b5060010190565b5f81518060208401855e5f93019283525090919050565b5f61480761480183866147dc565b846147dc565b949350505050565b5f6020828403121561481f575f5ffd5b61100a82613b7a565b5f60208284031215614838575f5ffd5b61100a82613c96565b5f63ffffffff821663ffffffff810361485c5761485c614778565b60010192915050565b5f60208284031215614875575f5ffd5b61100a826140f6565b60c081016108db8284614499565b5f6020828403121561489c575f5ffd5b813561100a81613b66565b818103818111156108db576108db614778565b808201808211156108db576108db614778565b63ffffffff81811683821601908111156108db576108db614778565b5f602082840312156148f9575f5ffd5b61100a826145e0565b60e081016108db82846145ff565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffdfea164736f6c6343000825000a' as const;

/** The code on chain: its length, where the constructor writes into it, and its hash with those bytes zero. */
export const spendPolicyRuntime = {
  length: 18762,
  immutables: [[1484,32],[2717,32],[5143,32],[5583,32],[11019,32],[11067,32],[14304,32],[14346,32],[14388,32],[14469,32],[14509,32]],
  codeHash: '0x08c68f91e5bb09e411c6683934f1af8df0bad00a8ee2ed64b212333cb6f26b80',
} as const;
