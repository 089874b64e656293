// Made by `npm run contracts` from chain/contracts/Settlement.sol with solc 0.8.37. Not to be edited.

export const settlementAbi = [
  {
    "inputs": [
      {
        "internalType": "contract IAgentNFT",
        "name": "nft",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "treasury",
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
    "name": "AgentSellsItself",
    "type": "error"
  },
  {
    "inputs": [
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
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "AssetNotApproved",
    "type": "error"
  },
  {
    "inputs": [
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
        "internalType": "address",
        "name": "holder",
        "type": "address"
      }
    ],
    "name": "AssetNotDelivered",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "asset",
        "type": "address"
      }
    ],
    "name": "AssetNotERC721",
    "type": "error"
  },
  {
    "inputs": [
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
        "internalType": "address",
        "name": "holder",
        "type": "address"
      }
    ],
    "name": "AssetNotHeld",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "dealId",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "key",
        "type": "address"
      }
    ],
    "name": "BadDealSignature",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "dealId",
        "type": "bytes32"
      }
    ],
    "name": "DealAlreadySettled",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "dealId",
        "type": "bytes32"
      },
      {
        "internalType": "uint48",
        "name": "deadline",
        "type": "uint48"
      }
    ],
    "name": "DealExpired",
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
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "NotAgent",
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
        "name": "account",
        "type": "address"
      }
    ],
    "name": "SameParty",
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
        "name": "seller",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "buyer",
        "type": "address"
      },
      {
        "indexed": false,
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
        "indexed": false,
        "internalType": "address",
        "name": "token",
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
    "name": "DealSettled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [],
    "name": "EIP712DomainChanged",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "FEE_BPS",
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
    "name": "NFT",
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
    "inputs": [],
    "name": "TREASURY",
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
        "name": "price",
        "type": "uint256"
      }
    ],
    "name": "feeOf",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "pure",
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
            "name": "seller",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "buyer",
            "type": "address"
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
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "uint128",
            "name": "price",
            "type": "uint128"
          },
          {
            "internalType": "uint8",
            "name": "category",
            "type": "uint8"
          },
          {
            "internalType": "uint48",
            "name": "deadline",
            "type": "uint48"
          }
        ],
        "internalType": "struct Settlement.Deal",
        "name": "deal",
        "type": "tuple"
      }
    ],
    "name": "hashDeal",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
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
            "name": "seller",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "buyer",
            "type": "address"
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
            "internalType": "address",
            "name": "token",
            "type": "address"
          },
          {
            "internalType": "uint128",
            "name": "price",
            "type": "uint128"
          },
          {
            "internalType": "uint8",
            "name": "category",
            "type": "uint8"
          },
          {
            "internalType": "uint48",
            "name": "deadline",
            "type": "uint48"
          }
        ],
        "internalType": "struct Settlement.Deal",
        "name": "deal",
        "type": "tuple"
      },
      {
        "internalType": "address",
        "name": "sellerKey",
        "type": "address"
      },
      {
        "internalType": "bytes",
        "name": "sellerSignature",
        "type": "bytes"
      },
      {
        "internalType": "address",
        "name": "buyerKey",
        "type": "address"
      },
      {
        "internalType": "bytes",
        "name": "buyerSignature",
        "type": "bytes"
      }
    ],
    "name": "settle",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "dealId",
        "type": "bytes32"
      }
    ],
    "name": "settledAt",
    "outputs": [
      {
        "internalType": "uint48",
        "name": "",
        "type": "uint48"
      }
    ],
    "stateMutability": "view",
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
export const settlementBytecode =
  '0x6101a0604052348015610010575f5ffd5b50604051611dcd380380611dcd83398101604081905261002f916101a6565b6040518060400160405280601781526020017f5361666548616e647368616b65536574746c656d656e74000000000000000000815250604051806040016040528060018152602001603160f81b81525061008e8261014960201b60201c565b6101205261009b81610149565b61014052815160208084019190912060e052815190820120610100524660a05261012760e05161010051604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201529081019290925260608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b60805250503060c0526001600160a01b03918216610160521661018052610239565b5f5f829050601f8151111561017c578260405163305a27a960e01b815260040161017391906101de565b60405180910390fd5b805161018782610213565b179392505050565b6001600160a01b03811681146101a3575f5ffd5b50565b5f5f604083850312156101b7575f5ffd5b82516101c28161018f565b60208401519092506101d38161018f565b809150509250929050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b80516020808301519190811015610233575f198160200360031b1b821691505b50919050565b60805160a05160c05160e0516101005161012051610140516101605161018051611b156102b85f395f818160b401526104cd01525f818160f3015281816108fe01528181610a4d0152610c5901525f6106f301525f6106c301525f6111b001525f61118801525f6110e301525f61110d01525f6111370152611b155ff3fe608060405234801561000f575f5ffd5b5060043610610085575f3560e01c8063af9e3a3611610058578063af9e3a3614610130578063bf333f2c14610143578063cdf179ff1461014b578063f0f69d6114610160575f5ffd5b8063219eb175146100895780632d2c5565146100af5780637c0b8de2146100ee57806384b0196e14610115575b5f5ffd5b61009c610097366004611530565b61019e565b6040519081526020015b60405180910390f35b6100d67f000000000000000000000000000000000000000000000000000000000000000081565b6040516001600160a01b0390911681526020016100a6565b6100d67f000000000000000000000000000000000000000000000000000000000000000081565b61011d6101f6565b6040516100a69796959493929190611597565b61009c61013e366004611649565b610254565b61009c60c881565b61015e6101593660046116c7565b61026d565b005b61018761016e366004611649565b60026020525f908152604090205465ffffffffffff1681565b60405165ffffffffffff90911681526020016100a6565b5f6101f07f0e63bf22d370079e011152da27e582180de0021586e16932e06b8ea4e6769636836040516020016101d59291906117b5565b60405160208183030381529060405280519060200120610675565b92915050565b5f6060805f5f5f60606102076106bc565b61020f6106ec565b604080515f808252602082019092527f0f000000000000000000000000000000000000000000000000000000000000009b939a50919850469750309650945092509050565b5f61271061026360c8846118a6565b6101f091906118e2565b610275610717565b86355f9081526002602052604090205465ffffffffffff16156102cc576040517f64f33707000000000000000000000000000000000000000000000000000000008152873560048201526024015b60405180910390fd5b6102de6101208801610100890161191a565b65ffffffffffff1642111561034457863561030161012089016101008a0161191a565b6040517f68007b70000000000000000000000000000000000000000000000000000000008152600481019290925265ffffffffffff1660248201526044016102c3565b6103546060880160408901611933565b6001600160a01b031661036d6040890160208a01611933565b6001600160a01b0316036103c95761038b6040880160208901611933565b6040517f284f658d0000000000000000000000000000000000000000000000000000000081526001600160a01b0390911660048201526024016102c3565b5f6103d38861019e565b90506103e388358289898961074e565b6103f188358286868661074e565b87355f908152600260205260409081902080547fffffffffffffffffffffffffffffffffffffffffffffffffffff000000000000164265ffffffffffff1617905561044b906104469060608b01908b01611933565b610810565b50610469886104636104466040830160208401611933565b896109b8565b6104796060890160408a01611933565b6001600160a01b0316630be96b286104a18a8761049c6040830160208401611933565b610ef9565b6104cb6104b460e08d0160c08e0161194e565b6fffffffffffffffffffffffffffffffff16610254565b7f00000000000000000000000000000000000000000000000000000000000000006040518463ffffffff1660e01b815260040161050a93929190611967565b5f604051808303815f87803b158015610521575f5ffd5b505af1158015610533573d5f5f3e3d5ffd5b505f925061054a91505060808a0160608b01611933565b6040517f6352211e00000000000000000000000000000000000000000000000000000000815260808b013560048201526001600160a01b039190911690636352211e90602401602060405180830381865afa1580156105ab573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906105cf91906119e6565b90506105e160608a0160408b01611933565b6001600160a01b0316816001600160a01b0316146106595761060960808a0160608b01611933565b6040517fb958d2b20000000000000000000000000000000000000000000000000000000081526001600160a01b03918216600482015260808b0135602482015290821660448201526064016102c3565b61066289610fc2565b505061066c6110ad565b50505050505050565b5f6101f06106816110d7565b836040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b60606106e77f0000000000000000000000000000000000000000000000000000000000000000611200565b905090565b60606106e77f0000000000000000000000000000000000000000000000000000000000000000611200565b61071f61123d565b61074c60017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b90611296565b565b5f5f61078f8685858080601f0160208091040260200160405190810160405280939291908181526020018383808284375f9201919091525061129d92505050565b5090925090505f8160038111156107a8576107a8611a01565b1415806107c75750846001600160a01b0316826001600160a01b031614155b1561066c576040517f99e3c141000000000000000000000000000000000000000000000000000000008152600481018890526001600160a01b03861660248201526044016102c3565b5f816001600160a01b03163b5f0361085f576040517f52f49c950000000000000000000000000000000000000000000000000000000081526001600160a01b03831660048201526024016102c3565b816001600160a01b031663fc0c546a6040518163ffffffff1660e01b8152600401606060405180830381865afa15801561089b573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906108bf9190611a2e565b6040517f8f4e4321000000000000000000000000000000000000000000000000000000008152600481018290529093506001600160a01b0385811693507f0000000000000000000000000000000000000000000000000000000000000000169150638f4e432190602401602060405180830381865afa158015610944573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061096891906119e6565b6001600160a01b0316146109b3576040517f52f49c950000000000000000000000000000000000000000000000000000000081526001600160a01b03831660048201526024016102c3565b919050565b6109f16109cb6080850160608601611933565b7f80ac58cd000000000000000000000000000000000000000000000000000000006112e6565b610a4357610a056080840160608501611933565b6040517f416fd52a0000000000000000000000000000000000000000000000000000000081526001600160a01b0390911660048201526024016102c3565b6001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016610a7d6080850160608601611933565b6001600160a01b0316148015610a965750818360800135145b15610ad0576040517fdf1ebf70000000000000000000000000000000000000000000000000000000008152600481018390526024016102c3565b5f610ae16080850160608601611933565b6040517f6352211e000000000000000000000000000000000000000000000000000000008152608086013560048201526001600160a01b039190911690636352211e90602401602060405180830381865afa158015610b42573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610b6691906119e6565b90505f610b796040860160208701611933565b6001600160a01b038381169116149050610b996040860160208701611933565b6001600160a01b031662a95dad610bbb878661049c6060830160408401611933565b610bcb6080890160608a01611933565b8860800135856040518563ffffffff1660e01b8152600401610bf09493929190611a66565b5f604051808303815f87803b158015610c07575f5ffd5b505af1158015610c19573d5f5f3e3d5ffd5b505050508015610c2a575050505050565b6040517f6352211e000000000000000000000000000000000000000000000000000000008152600481018590527f00000000000000000000000000000000000000000000000000000000000000006001600160a01b031690636352211e90602401602060405180830381865afa158015610ca6573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610cca91906119e6565b6001600160a01b0316826001600160a01b031614610d4257610cf26080860160608701611933565b6040517fd81ab54c0000000000000000000000000000000000000000000000000000000081526001600160a01b0391821660048201526080870135602482015290831660448201526064016102c3565b30610d536080870160608801611933565b6040517f081812fc000000000000000000000000000000000000000000000000000000008152608088013560048201526001600160a01b03919091169063081812fc90602401602060405180830381865afa158015610db4573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610dd891906119e6565b6001600160a01b031614610e4657610df66080860160608701611933565b6040517f2740b6010000000000000000000000000000000000000000000000000000000081526001600160a01b0391821660048201526080870135602482015290831660448201526064016102c3565b610e566080860160608701611933565b6001600160a01b03166323b872dd83610e756060890160408a01611933565b6040517fffffffff0000000000000000000000000000000000000000000000000000000060e085901b1681526001600160a01b03928316600482015291166024820152608088013560448201526064015f604051808303815f87803b158015610edc575f5ffd5b505af1158015610eee573d5f5f3e3d5ffd5b505050505050505050565b6040805160c0810182525f80825260208201819052918101829052606081018290526080810182905260a08101919091526040518060c00160405280855f01358152602001846001600160a01b03168152602001836001600160a01b031681526020018560a0016020810190610f6f9190611933565b6001600160a01b03168152602001610f8d60e0870160c0880161194e565b6fffffffffffffffffffffffffffffffff168152602001610fb5610100870160e08801611aef565b60ff169052949350505050565b610fd26060820160408301611933565b6001600160a01b0316610feb6040830160208401611933565b6001600160a01b031682357fa20777ab2ea53d3af68a8bc8dc7e708447185fa90e057a7c42beea7d6805c6056110276080860160608701611933565b608086013561103c60c0880160a08901611933565b61104c60e0890160c08a0161194e565b61105f6104b460e08b0160c08c0161194e565b604080516001600160a01b039687168152602081019590955292909416838301526fffffffffffffffffffffffffffffffff166060830152608082019290925290519081900360a00190a450565b61074c5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00610746565b5f306001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001614801561112f57507f000000000000000000000000000000000000000000000000000000000000000046145b1561115957507f000000000000000000000000000000000000000000000000000000000000000090565b6106e7604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b60605f61120c83611308565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c1561074c576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b5f5f5f83516041036112d4576020840151604085015160608601515f1a6112c688828585611348565b9550955095505050506112df565b505081515f91506002905b9250925092565b5f6112f08361142e565b8015611301575061130183836114a8565b9392505050565b5f60ff8216601f8111156101f0576040517fb3512b0c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a084111561138157505f91506003905082611424565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa1580156113d2573d5f5f3e3d5ffd5b50506040517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe001519150506001600160a01b03811661141b57505f925060019150829050611424565b92505f91508190505b9450945094915050565b5f611459827f01ffc9a7000000000000000000000000000000000000000000000000000000006114a8565b156114a1575f8061148a847fffffffff000000000000000000000000000000000000000000000000000000006114cc565b91509150818015611499575080155b949350505050565b505f919050565b5f5f5f6114b585856114cc565b915091508180156114c35750805b95945050505050565b7f01ffc9a7000000000000000000000000000000000000000000000000000000005f818152600483905290819060208260248188617530fa92505f511515601f3d11169150509250929050565b5f610120828403121561152a575f5ffd5b50919050565b5f6101208284031215611541575f5ffd5b6113018383611519565b5f81518084528060208401602086015e5f6020828601015260207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011685010191505092915050565b7fff000000000000000000000000000000000000000000000000000000000000008816815260e060208201525f6115d160e083018961154b565b82810360408401526115e3818961154b565b606084018890526001600160a01b038716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b8181101561163857835183526020938401939092019160010161161a565b50909b9a5050505050505050505050565b5f60208284031215611659575f5ffd5b5035919050565b6001600160a01b0381168114611674575f5ffd5b50565b80356109b381611660565b5f5f83601f840112611692575f5ffd5b50813567ffffffffffffffff8111156116a9575f5ffd5b6020830191508360208285010111156116c0575f5ffd5b9250929050565b5f5f5f5f5f5f5f6101a0888a0312156116de575f5ffd5b6116e88989611519565b96506101208801356116f981611660565b955061014088013567ffffffffffffffff811115611715575f5ffd5b6117218a828b01611682565b90965094505061016088013561173681611660565b925061018088013567ffffffffffffffff811115611752575f5ffd5b61175e8a828b01611682565b989b979a50959850939692959293505050565b80356fffffffffffffffffffffffffffffffff811681146109b3575f5ffd5b803560ff811681146109b3575f5ffd5b803565ffffffffffff811681146109b3575f5ffd5b82815281356020808301919091526101408201908301356117d581611660565b6001600160a01b0381166040840152506117f160408401611677565b6001600160a01b03811660608401525061180d60608401611677565b6001600160a01b038116608084015250608083013560a083810191909152611836908401611677565b6001600160a01b03811660c08401525061185260c08401611771565b6fffffffffffffffffffffffffffffffff811660e08401525061187760e08401611790565b60ff81166101008401525061188f61010084016117a0565b65ffffffffffff8116610120840152509392505050565b80820281158282048414176101f0577f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b5f82611915577f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffd5b500490565b5f6020828403121561192a575f5ffd5b611301826117a0565b5f60208284031215611943575f5ffd5b813561130181611660565b5f6020828403121561195e575f5ffd5b61130182611771565b61010081016119c98286805182526001600160a01b0360208201511660208301526001600160a01b0360408201511660408301526001600160a01b0360608201511660608301526080810151608083015260ff60a08201511660a08301525050565b8360c08301526001600160a01b03831660e0830152949350505050565b5f602082840312156119f6575f5ffd5b815161130181611660565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b5f5f5f60608486031215611a40575f5ffd5b83516020850151909350611a5381611660565b6040949094015192959394509192915050565b6101208101611ac88287805182526001600160a01b0360208201511660208301526001600160a01b0360408201511660408301526001600160a01b0360608201511660608301526080810151608083015260ff60a08201511660a08301525050565b6001600160a01b03851660c08301528360e083015282151561010083015295945050505050565b5f60208284031215611aff575f5ffd5b6113018261179056fea164736f6c6343000825000a' as const;

/** The code on chain: its length, where the constructor writes into it, and its hash with those bytes zero. */
export const settlementRuntime = {
  length: 6933,
  immutables: [[180,32],[243,32],[1229,32],[1731,32],[1779,32],[2302,32],[2637,32],[3161,32],[4323,32],[4365,32],[4407,32],[4488,32],[4528,32]],
  codeHash: '0x4fd975b4aa0b407321adfcad8446f94c98bca75d0c7b40a97b8674c5586b8733',
} as const;
