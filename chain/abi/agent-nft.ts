// Made by `npm run contracts` from chain/contracts/AgentNFT.sol with solc 0.8.37. Not to be edited.

export const agentNftAbi = [
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "admin",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "minter",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "accountImplementation",
        "type": "address"
      },
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
    "inputs": [],
    "name": "TierMissing",
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
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "enum AgentNFT.Tier",
        "name": "tier",
        "type": "uint8"
      },
      {
        "indexed": false,
        "internalType": "bytes32",
        "name": "paymentRef",
        "type": "bytes32"
      }
    ],
    "name": "AgentMinted",
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
        "name": "approved",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "Approval",
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
        "name": "operator",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "bool",
        "name": "approved",
        "type": "bool"
      }
    ],
    "name": "ApprovalForAll",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "_fromTokenId",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "_toTokenId",
        "type": "uint256"
      }
    ],
    "name": "BatchMetadataUpdate",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [],
    "name": "DefaultAdminDelayChangeCanceled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "uint48",
        "name": "newDelay",
        "type": "uint48"
      },
      {
        "indexed": false,
        "internalType": "uint48",
        "name": "effectSchedule",
        "type": "uint48"
      }
    ],
    "name": "DefaultAdminDelayChangeScheduled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [],
    "name": "DefaultAdminTransferCanceled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "newAdmin",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint48",
        "name": "acceptSchedule",
        "type": "uint48"
      }
    ],
    "name": "DefaultAdminTransferScheduled",
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
        "internalType": "uint32",
        "name": "epoch",
        "type": "uint32"
      }
    ],
    "name": "EpochRaised",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "_tokenId",
        "type": "uint256"
      }
    ],
    "name": "MetadataUpdate",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "previousAdminRole",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "newAdminRole",
        "type": "bytes32"
      }
    ],
    "name": "RoleAdminChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "RoleGranted",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "RoleRevoked",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "from",
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
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "Transfer",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "ACCOUNT_IMPLEMENTATION",
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
    "name": "DEFAULT_ADMIN_ROLE",
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
    "inputs": [],
    "name": "MINTER_ROLE",
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
    "inputs": [],
    "name": "REGISTRY",
    "outputs": [
      {
        "internalType": "contract IERC6551Registry",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "SALT",
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
    "inputs": [],
    "name": "acceptDefaultAdminTransfer",
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
      }
    ],
    "name": "accountOf",
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
        "internalType": "bytes32",
        "name": "paymentRef",
        "type": "bytes32"
      }
    ],
    "name": "agentByPayment",
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
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "approve",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "balanceOf",
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
        "internalType": "address",
        "name": "newAdmin",
        "type": "address"
      }
    ],
    "name": "beginDefaultAdminTransfer",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "cancelDefaultAdminTransfer",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint48",
        "name": "newDelay",
        "type": "uint48"
      }
    ],
    "name": "changeDefaultAdminDelay",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "defaultAdmin",
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
    "name": "defaultAdminDelay",
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
    "inputs": [],
    "name": "defaultAdminDelayIncreaseWait",
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
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      }
    ],
    "name": "epochOf",
    "outputs": [
      {
        "internalType": "uint32",
        "name": "",
        "type": "uint32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "getApproved",
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
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      }
    ],
    "name": "getRoleAdmin",
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
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "grantRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "hasRole",
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
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "operator",
        "type": "address"
      }
    ],
    "name": "isApprovedForAll",
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
    "inputs": [],
    "name": "lastId",
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
        "components": [
          {
            "internalType": "address",
            "name": "to",
            "type": "address"
          },
          {
            "internalType": "enum AgentNFT.Tier",
            "name": "tier",
            "type": "uint8"
          },
          {
            "internalType": "bytes32",
            "name": "paymentRef",
            "type": "bytes32"
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
          },
          {
            "internalType": "string",
            "name": "uri",
            "type": "string"
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
        "internalType": "struct AgentNFT.MintOrder",
        "name": "order",
        "type": "tuple"
      }
    ],
    "name": "mint",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "id",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
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
      }
    ],
    "name": "mintedAt",
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
    "inputs": [],
    "name": "name",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
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
        "internalType": "uint256",
        "name": "agentId",
        "type": "uint256"
      }
    ],
    "name": "ownerOf",
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
    "name": "pendingDefaultAdmin",
    "outputs": [
      {
        "internalType": "address",
        "name": "newAdmin",
        "type": "address"
      },
      {
        "internalType": "uint48",
        "name": "schedule",
        "type": "uint48"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "pendingDefaultAdminDelay",
    "outputs": [
      {
        "internalType": "uint48",
        "name": "newDelay",
        "type": "uint48"
      },
      {
        "internalType": "uint48",
        "name": "schedule",
        "type": "uint48"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "renounceRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "revokeRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "rollbackDefaultAdminDelay",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "safeTransferFrom",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      },
      {
        "internalType": "bytes",
        "name": "data",
        "type": "bytes"
      }
    ],
    "name": "safeTransferFrom",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "operator",
        "type": "address"
      },
      {
        "internalType": "bool",
        "name": "approved",
        "type": "bool"
      }
    ],
    "name": "setApprovalForAll",
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
        "internalType": "string",
        "name": "uri",
        "type": "string"
      }
    ],
    "name": "setTokenURI",
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
      }
    ],
    "name": "standingOf",
    "outputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "uint32",
        "name": "epoch",
        "type": "uint32"
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
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "symbol",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
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
    "name": "tierOf",
    "outputs": [
      {
        "internalType": "enum AgentNFT.Tier",
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
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "tokenURI",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "transferFrom",
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
    "name": "AccountCreationFailed",
    "type": "error"
  }
] as const;

/** Creation code, without the constructor's arguments. */
export const agentNftBytecode =
  '0x60c060405234801561000f575f5ffd5b50604051613a93380380613a9383398101604081905261002e91610276565b62015180846040518060400160405280601481526020017f536166652048616e647368616b65204167656e74000000000000000000000000815250604051806040016040528060058152602001641051d1539560da1b815250815f90816100959190610375565b5060016100a28282610375565b5050506001600160a01b0381166100d257604051636116401160e11b81525f600482015260240160405180910390fd5b600880546001600160d01b0316600160d01b65ffffffffffff8516021790556100fb5f82610145565b5050506001600160a01b03808316608052811660a05261013b7f9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a684610145565b5050505050610433565b5f826101a1575f61015e6009546001600160a01b031690565b6001600160a01b03161461018557604051631fe1e13d60e11b815260040160405180910390fd5b600980546001600160a01b0319166001600160a01b0384161790555b6101ab83836101b4565b90505b92915050565b5f8281526007602090815260408083206001600160a01b038516845290915281205460ff16610258575f8381526007602090815260408083206001600160a01b03861684529091529020805460ff191660011790556102103390565b6001600160a01b0316826001600160a01b0316847f2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d60405160405180910390a45060016101ae565b505f6101ae565b6001600160a01b0381168114610273575f5ffd5b50565b5f5f5f5f60808587031215610289575f5ffd5b84516102948161025f565b60208601519094506102a58161025f565b60408601519093506102b68161025f565b60608601519092506102c78161025f565b939692955090935050565b634e487b7160e01b5f52604160045260245ffd5b600181811c908216806102fa57607f821691505b60208210810361031857634e487b7160e01b5f52602260045260245ffd5b50919050565b601f821115610370578282111561037057805f5260205f20601f840160051c602085101561034957505f5b90810190601f840160051c035f5b8181101561036c575f83820155600101610357565b5050505b505050565b81516001600160401b0381111561038e5761038e6102d2565b6103a28161039c84546102e6565b8461031e565b6020601f8211600181146103d4575f83156103bd5750848201515b5f19600385901b1c1916600184901b17845561042c565b5f84815260208120601f198516915b8281101561040357878501518255602094850194600190920191016103e3565b508482101561042057868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b60805160a0516136316104625f395f818161078101526110ff01525f81816103fa0152610e6c01526136315ff3fe608060405234801561000f575f5ffd5b50600436106102e3575f3560e01c80638da5cb5b11610187578063c1292cc3116100dd578063d539139311610093578063dadbccee1161006e578063dadbccee1461077c578063e985e9c5146107a3578063f1b0aa15146107de575f5ffd5b8063d53913931461073a578063d547741f14610761578063d602b9fd14610774575f5ffd5b8063cc8463c8116100c3578063cc8463c8146106eb578063cefc1429146106f3578063cf6eefb7146106fb575f5ffd5b8063c1292cc3146106cf578063c87b56dd146106d8575f5ffd5b8063a217fddf1161013d578063b88d4fde11610118578063b88d4fde1461068c578063b9cac8571461069f578063ba9a91a514610620575f5ffd5b8063a217fddf14610620578063a22cb46514610627578063a3d545f51461063a575f5ffd5b806391d148541161016d57806391d14854146105b957806395d89b41146105f1578063a1eda53c146105f9575f5ffd5b80638da5cb5b146105895780638f4e432114610591575f5ffd5b80632d1e19e81161023c578063634e93da116101f257806370a08231116101cd57806370a0823114610546578063757008c21461055957806384ef8ffc14610578575f5ffd5b8063634e93da1461050d5780636352211e14610520578063649a5ec714610533575f5ffd5b806336568abe1161022257806336568abe1461049c57806342842e0e146104af57806353f96df2146104c2575f5ffd5b80632d1e19e81461041c5780632f2ff15d14610489575f5ffd5b8063095ea7b31161029c57806323b872dd1161027757806323b872dd146103b2578063248a9ca3146103c5578063290ab984146103f5575f5ffd5b8063095ea7b3146103825780630aa6220b14610397578063162094c41461039f575f5ffd5b806306433b1b116102cc57806306433b1b1461032b57806306fdde031461035a578063081812fc1461036f575f5ffd5b806301ffc9a7146102e7578063022d63fb1461030f575b5f5ffd5b6102fa6102f5366004612b75565b610822565b60405190151581526020015b60405180910390f35b620697805b60405165ffffffffffff9091168152602001610306565b6103426f6551c19487814612e58fe0681377575881565b6040516001600160a01b039091168152602001610306565b610362610832565b6040516103069190612bbe565b61034261037d366004612bd0565b6108c1565b610395610390366004612bfb565b6108e8565b005b6103956108f7565b6103956103ad366004612c25565b61090c565b6103956103c0366004612c9c565b6109a8565b6103e76103d3366004612bd0565b5f9081526007602052604090206001015490565b604051908152602001610306565b6103427f000000000000000000000000000000000000000000000000000000000000000081565b61046561042a366004612bd0565b5f908152600c60205260409020546001600160a01b038116917401000000000000000000000000000000000000000090910463ffffffff1690565b604080516001600160a01b03909316835263ffffffff909116602083015201610306565b610395610497366004612cda565b610a63565b6103956104aa366004612cda565b610aa4565b6103956104bd366004612c9c565b610b8f565b6105006104d0366004612bd0565b5f908152600c60205260409020547801000000000000000000000000000000000000000000000000900460ff1690565b6040516103069190612d6e565b61039561051b366004612d7c565b610ba9565b61034261052e366004612bd0565b610bbc565b610395610541366004612db1565b610bc6565b6103e7610554366004612d7c565b610bd9565b6103e7610567366004612bd0565b600b6020525f908152604090205481565b6009546001600160a01b0316610342565b610342610c37565b61034261059f366004612bd0565b5f908152600c60205260409020546001600160a01b031690565b6102fa6105c7366004612cda565b5f9182526007602090815260408084206001600160a01b0393909316845291905290205460ff1690565b610362610c4f565b610601610c5e565b6040805165ffffffffffff938416815292909116602083015201610306565b6103e75f81565b610395610635366004612dd9565b610cd8565b610677610648366004612bd0565b5f908152600c602052604090205474010000000000000000000000000000000000000000900463ffffffff1690565b60405163ffffffff9091168152602001610306565b61039561069a366004612e39565b610ce3565b6106b26106ad366004612f1b565b610cfb565b604080519283526001600160a01b03909116602083015201610306565b6103e7600a5481565b6103626106e6366004612bd0565b61123a565b6103146112bb565b610395611358565b600854604080516001600160a01b03831681527401000000000000000000000000000000000000000090920465ffffffffffff16602083015201610306565b6103e77f9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a681565b61039561076f366004612cda565b6113a7565b6103956113e8565b6103427f000000000000000000000000000000000000000000000000000000000000000081565b6102fa6107b1366004612f53565b6001600160a01b039182165f90815260056020908152604080832093909416825291909152205460ff1690565b6103146107ec366004612bd0565b5f908152600c6020526040902054790100000000000000000000000000000000000000000000000000900465ffffffffffff1690565b5f61082c826113fa565b92915050565b60605f805461084090612f7f565b80601f016020809104026020016040519081016040528092919081815260200182805461086c90612f7f565b80156108b75780601f1061088e576101008083540402835291602001916108b7565b820191905f5260205f20905b81548152906001019060200180831161089a57829003601f168201915b5050505050905090565b5f6108cb8261144f565b505f828152600460205260409020546001600160a01b031661082c565b6108f38282336114a0565b5050565b5f610901816114ad565b6109096114b7565b50565b3361091684610bbc565b6001600160a01b031614610964576040517f13feb4c4000000000000000000000000000000000000000000000000000000008152600481018490523360248201526044015b60405180910390fd5b6109a38383838080601f0160208091040260200160405190810160405280939291908181526020018383808284375f920191909152506114c392505050565b505050565b6001600160a01b0382166109ea576040517f64a0ae920000000000000000000000000000000000000000000000000000000081525f600482015260240161095b565b5f6109f6838333611513565b9050836001600160a01b0316816001600160a01b031614610a5d576040517f64283d7b0000000000000000000000000000000000000000000000000000000081526001600160a01b038086166004830152602482018490528216604482015260640161095b565b50505050565b81610a9a576040517f3fc3c27a00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6108f382826115be565b81158015610abf57506009546001600160a01b038281169116145b15610b85576008546001600160a01b0381169074010000000000000000000000000000000000000000900465ffffffffffff1681151580610b06575065ffffffffffff8116155b80610b1957504265ffffffffffff821610155b15610b5a576040517f19ca5ebb00000000000000000000000000000000000000000000000000000000815265ffffffffffff8216600482015260240161095b565b5050600880547fffffffffffff000000000000ffffffffffffffffffffffffffffffffffffffff1690555b6108f382826115e2565b6109a383838360405180602001604052805f815250610ce3565b5f610bb3816114ad565b6108f38261162e565b5f61082c826116a0565b5f610bd0816114ad565b6108f3826116aa565b5f6001600160a01b038216610c1c576040517f89c62b640000000000000000000000000000000000000000000000000000000081525f600482015260240161095b565b506001600160a01b03165f9081526003602052604090205490565b5f610c4a6009546001600160a01b031690565b905090565b60606001805461084090612f7f565b6009545f907a010000000000000000000000000000000000000000000000000000900465ffffffffffff168015158015610ca057504265ffffffffffff821610155b610cab575f5f610cd0565b60095474010000000000000000000000000000000000000000900465ffffffffffff16815b915091509091565b6108f3338383611712565b610cee8484846109a8565b610a5d3385858585611829565b5f5f7f9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6610d27816114ad565b5f610d386040860160208701612fd0565b6002811115610d4957610d49612d08565b03610d80576040517f7c10f96000000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b60408401355f03610dbd576040517f5fc15f3200000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6040808501355f908152600b602052205492508215610e1557604080517f63ce380b0000000000000000000000000000000000000000000000000000000081529085013560048201526024810184905260440161095b565b600a5f8154610e239061301b565b91829055506040858101355f908152600b60205281812083905590517f8a54c52f0000000000000000000000000000000000000000000000000000000081526001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001660048201526024810191909152466044820152306064820152608481018290529093506f6551c19487814612e58fe0681377575890638a54c52f9060a4016020604051808303815f875af1158015610ee6573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610f0a9190613033565b91506040518060800160405280836001600160a01b031681526020015f63ffffffff168152602001856020016020810190610f459190612fd0565b6002811115610f5657610f56612d08565b815265ffffffffffff42166020918201525f858152600c8252604090819020835181549385015163ffffffff1674010000000000000000000000000000000000000000027fffffffffffffffff0000000000000000000000000000000000000000000000009094166001600160a01b039091161792909217808355908301519082907fffffffffffffff00ffffffffffffffffffffffffffffffffffffffffffffffff16780100000000000000000000000000000000000000000000000083600281111561102657611026612d08565b021790555060609190910151815465ffffffffffff909116790100000000000000000000000000000000000000000000000000027fff000000000000ffffffffffffffffffffffffffffffffffffffffffffffffff9091161790556110976110916020860186612d7c565b846119cd565b6110a460a085018561304e565b1590506110f5576110f5836110bc60a087018761304e565b8080601f0160208091040260200160405190810160405280939291908181526020018383808284375f920191909152506114c392505050565b6001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001663a04aa8638460c087016111376101808901896130b6565b6111456101a08b018b613119565b6111536101c08d018d613119565b8d60600160208101906111669190612d7c565b8e60800160208101906111799190612db1565b6040518b63ffffffff1660e01b815260040161119e9a999897969594939291906132f4565b5f604051808303815f87803b1580156111b5575f5ffd5b505af11580156111c7573d5f5f3e3d5ffd5b506111d9925050506020850185612d7c565b6001600160a01b03908116908316847fc02457ce96d14b6835e85dee856ab099c60c6765c16aa1bea2333c3f34c613f56112196040890160208a01612fd0565b886040013560405161122c9291906133ec565b60405180910390a450915091565b60606112458261144f565b505f61125b60408051602081019091525f815290565b90505f61126784611a60565b905081515f03611278579392505050565b8051156112aa57818160405160200161129292919061341e565b60405160208183030381529060405292505050919050565b6112b384611aff565b949350505050565b6009545f907a010000000000000000000000000000000000000000000000000000900465ffffffffffff1680151580156112fc57504265ffffffffffff8216105b61132e576008547a010000000000000000000000000000000000000000000000000000900465ffffffffffff16611352565b60095474010000000000000000000000000000000000000000900465ffffffffffff165b91505090565b6008546001600160a01b031633811461139f576040517fc22c802200000000000000000000000000000000000000000000000000000000815233600482015260240161095b565b610909611b70565b816113de576040517f3fc3c27a00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6108f38282611c47565b5f6113f2816114ad565b610909611c6b565b5f7fffffffff0000000000000000000000000000000000000000000000000000000082167f3149878600000000000000000000000000000000000000000000000000000000148061082c575061082c82611c75565b5f818152600260205260408120546001600160a01b03168061082c576040517f7e2732890000000000000000000000000000000000000000000000000000000081526004810184905260240161095b565b6109a38383836001611cca565b6109098133611e1d565b6114c15f5f611e8a565b565b5f8281526006602052604090206114da8282613480565b506040518281527ff8e1a15aba9398e019f0b49df1a4fde98ee17ae345cb5f6b5e2c27f5033e8ce7906020015b60405180910390a15050565b5f61151e8385611fd6565b6115298484846121a6565b5f848152600c60205260409020805491925084917fba7a0ee470ef15b3aa272469536d3de260c5826540a227a15dcf42dbd284c602919060149061158a9074010000000000000000000000000000000000000000900463ffffffff1661353b565b825463ffffffff9182166101009390930a838102920219161790915560405190815260200160405180910390a29392505050565b5f828152600760205260409020600101546115d8816114ad565b610a5d83836122b0565b6001600160a01b0381163314611624576040517f6697b23200000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6109a38282612347565b5f6116376112bb565b6116404261239b565b61164a919061355f565b905061165682826123ea565b60405165ffffffffffff821681526001600160a01b038316907f3377dc44241e779dd06afab5b788a35ca5f3b778836e2990bdb26a2a4b2e5ed69060200160405180910390a25050565b5f61082c8261144f565b5f6116b482612478565b6116bd4261239b565b6116c7919061355f565b90506116d38282611e8a565b6040805165ffffffffffff8085168252831660208201527ff1038c18cf84a56e432fdbfaf746924b7ea511dfe03a6506a0ceba4888788d9b9101611507565b6001600160a01b038316611754576040517fa9fbf51f0000000000000000000000000000000000000000000000000000000081525f600482015260240161095b565b6001600160a01b03821661179f576040517f5b08ba180000000000000000000000000000000000000000000000000000000081526001600160a01b038316600482015260240161095b565b6001600160a01b038381165f8181526005602090815260408083209487168084529482529182902080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001686151590811790915591519182527f17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31910160405180910390a3505050565b6001600160a01b0383163b156119c6576040517f150b7a020000000000000000000000000000000000000000000000000000000081526001600160a01b0384169063150b7a029061188490889088908790879060040161357d565b6020604051808303815f875af19250505080156118be575060408051601f3d908101601f191682019092526118bb918101906135bd565b60015b61193e573d8080156118eb576040519150601f19603f3d011682016040523d82523d5f602084013e6118f0565b606091505b5080515f03611936576040517f64a0ae920000000000000000000000000000000000000000000000000000000081526001600160a01b038516600482015260240161095b565b805160208201fd5b7fffffffff0000000000000000000000000000000000000000000000000000000081167f150b7a0200000000000000000000000000000000000000000000000000000000146119c4576040517f64a0ae920000000000000000000000000000000000000000000000000000000081526001600160a01b038516600482015260240161095b565b505b5050505050565b6001600160a01b038216611a0f576040517f64a0ae920000000000000000000000000000000000000000000000000000000081525f600482015260240161095b565b5f611a1b83835f611513565b90506001600160a01b038116156109a3576040517f73c6ac6e0000000000000000000000000000000000000000000000000000000081525f600482015260240161095b565b5f818152600660205260409020805460609190611a7c90612f7f565b80601f0160208091040260200160405190810160405280929190818152602001828054611aa890612f7f565b8015611af35780601f10611aca57610100808354040283529160200191611af3565b820191905f5260205f20905b815481529060010190602001808311611ad657829003601f168201915b50505050509050919050565b6060611b0a8261144f565b505f611b2060408051602081019091525f815290565b90505f815111611b3e5760405180602001604052805f815250611b69565b80611b48846124bf565b604051602001611b5992919061341e565b6040516020818303038152906040525b9392505050565b6008546001600160a01b0381169074010000000000000000000000000000000000000000900465ffffffffffff16801580611bb357504265ffffffffffff821610155b15611bf4576040517f19ca5ebb00000000000000000000000000000000000000000000000000000000815265ffffffffffff8216600482015260240161095b565b611c0f5f611c0a6009546001600160a01b031690565b612347565b50611c1a5f836122b0565b5050600880547fffffffffffff000000000000000000000000000000000000000000000000000016905550565b5f82815260076020526040902060010154611c61816114ad565b610a5d8383612347565b6114c15f5f6123ea565b5f7fffffffff0000000000000000000000000000000000000000000000000000000082167f7965db0b00000000000000000000000000000000000000000000000000000000148061082c575061082c8261255c565b8080611cde57506001600160a01b03821615155b15611dd6575f611ced8461144f565b90506001600160a01b03831615801590611d195750826001600160a01b0316816001600160a01b031614155b8015611d4a57506001600160a01b038082165f9081526005602090815260408083209387168352929052205460ff16155b15611d8c576040517fa9fbf51f0000000000000000000000000000000000000000000000000000000081526001600160a01b038416600482015260240161095b565b8115611dd45783856001600160a01b0316826001600160a01b03167f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92560405160405180910390a45b505b50505f90815260046020526040902080547fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b0392909216919091179055565b5f8281526007602090815260408083206001600160a01b038516845290915290205460ff166108f3576040517fe2517d3f0000000000000000000000000000000000000000000000000000000081526001600160a01b03821660048201526024810183905260440161095b565b6009547a010000000000000000000000000000000000000000000000000000900465ffffffffffff168015611f5e574265ffffffffffff82161015611f35576009546008805479ffffffffffffffffffffffffffffffffffffffffffffffffffff167401000000000000000000000000000000000000000090920465ffffffffffff167a01000000000000000000000000000000000000000000000000000002919091179055611f5e565b6040517f2b1fa2edafe6f7b9e97c1a9e0c3660e645beb2dcaa2d45bdbf9beaf5472e1ec5905f90a15b50600980546001600160a01b03167401000000000000000000000000000000000000000065ffffffffffff9485160279ffffffffffffffffffffffffffffffffffffffffffffffffffff16177a0100000000000000000000000000000000000000000000000000009290931691909102919091179055565b805f5b6008811015612161575f5f5f611fee856125b1565b925092509250826120025750505050505050565b6001600160a01b0382163014801561201957508681145b15612062576040517fa9ec0ddf000000000000000000000000000000000000000000000000000000008152600481018890526001600160a01b038716602482015260440161095b565b5f5f836001600160a01b03168360405160240161208191815260200190565b60408051601f198184030181529181526020820180517bffffffffffffffffffffffffffffffffffffffffffffffffffffffff167f6352211e00000000000000000000000000000000000000000000000000000000179052516120e491906135d8565b5f60405180830381855afa9150503d805f811461211c576040519150601f19603f3d011682016040523d82523d5f602084013e612121565b606091505b509150915081158061213557508051602014155b1561214557505050505050505050565b61214e816135e3565b96505060019094019350611fd992505050565b506040517fa9ec0ddf000000000000000000000000000000000000000000000000000000008152600481018490526001600160a01b038316602482015260440161095b565b5f828152600260205260408120546001600160a01b03908116908316156121d2576121d28184866126f4565b6001600160a01b0381161561220c576121ed5f855f5f611cca565b6001600160a01b0381165f90815260036020526040902080545f190190555b6001600160a01b0385161561223a576001600160a01b0385165f908152600360205260409020805460010190555b5f8481526002602052604080822080547fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b0389811691821790925591518793918516917fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef91a4949350505050565b5f8261233d575f6122c96009546001600160a01b031690565b6001600160a01b031614612309576040517f3fc3c27a00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b600980547fffffffffffffffffffffffff0000000000000000000000000000000000000000166001600160a01b0384161790555b611b69838361278a565b5f8215801561236357506009546001600160a01b038381169116145b1561239157600980547fffffffffffffffffffffffff00000000000000000000000000000000000000001690555b611b698383612853565b5f65ffffffffffff8211156123e6576040517f6dfcc650000000000000000000000000000000000000000000000000000000008152603060048201526024810183905260440161095b565b5090565b600880547401000000000000000000000000000000000000000065ffffffffffff84811682027fffffffffffff000000000000000000000000000000000000000000000000000084166001600160a01b038816171790935590041680156109a3576040517f8886ebfc4259abdbc16601dd8fb5678e54878f47b3c34836cfc51154a9605109905f90a1505050565b5f5f6124826112bb565b90508065ffffffffffff168365ffffffffffff16116124aa576124a58382613606565b611b69565b611b6965ffffffffffff8416620697806128f6565b60605f6124cb83612905565b60010190505f8167ffffffffffffffff8111156124ea576124ea612e0c565b6040519080825280601f01601f191660200182016040528015612514576020820181803683370190505b5090508181016020015b5f19017f3031323334353637383961626364656600000000000000000000000000000000600a86061a8153600a850494508461251e57509392505050565b5f7fffffffff0000000000000000000000000000000000000000000000000000000082167f4906490600000000000000000000000000000000000000000000000000000000148061082c575061082c826129e6565b5f5f5f60ad846001600160a01b03163b146125d357505f9150819050806126ed565b5f846001600160a01b0316803b806020016040519081016040528181525f908060200190933c602a810151604d820151606d830151608d84015160ad850151909750955092935060609190911c9146811480156126e657506040517f246a00210000000000000000000000000000000000000000000000000000000081526001600160a01b03848116600483015260248201849052604482018390528781166064830152608482018790528916906f6551c19487814612e58fe068137757589063246a00219060a401602060405180830381865afa1580156126b7573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906126db9190613033565b6001600160a01b0316145b9650505050505b9193909250565b6126ff838383612ac8565b6109a3576001600160a01b038316612746576040517f7e2732890000000000000000000000000000000000000000000000000000000081526004810182905260240161095b565b6040517f177e802f0000000000000000000000000000000000000000000000000000000081526001600160a01b03831660048201526024810182905260440161095b565b5f8281526007602090815260408083206001600160a01b038516845290915281205460ff1661284c575f8381526007602090815260408083206001600160a01b0386168452909152902080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001660011790556128043390565b6001600160a01b0316826001600160a01b0316847f2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d60405160405180910390a450600161082c565b505f61082c565b5f8281526007602090815260408083206001600160a01b038516845290915281205460ff161561284c575f8381526007602090815260408083206001600160a01b038616808552925280832080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0016905551339286917ff6391f5c32d9c69d2a47ea670b442974b53935d1edc7fd64eb21e047a839171b9190a450600161082c565b5f828218828410028218611b69565b5f807a184f03e93ff9f4daa797ed6e38ed64bf6a1f010000000000000000831061294d577a184f03e93ff9f4daa797ed6e38ed64bf6a1f010000000000000000830492506040015b6d04ee2d6d415b85acef81000000008310612979576d04ee2d6d415b85acef8100000000830492506020015b662386f26fc10000831061299757662386f26fc10000830492506010015b6305f5e10083106129af576305f5e100830492506008015b61271083106129c357612710830492506004015b606483106129d5576064830492506002015b600a831061082c5760010192915050565b5f7fffffffff0000000000000000000000000000000000000000000000000000000082167f80ac58cd000000000000000000000000000000000000000000000000000000001480612a7857507fffffffff0000000000000000000000000000000000000000000000000000000082167f5b5e139f00000000000000000000000000000000000000000000000000000000145b8061082c57507f01ffc9a7000000000000000000000000000000000000000000000000000000007fffffffff0000000000000000000000000000000000000000000000000000000083161461082c565b5f6001600160a01b038316158015906112b35750826001600160a01b0316846001600160a01b03161480612b2057506001600160a01b038085165f9081526005602090815260408083209387168352929052205460ff165b806112b35750505f908152600460205260409020546001600160a01b03908116911614919050565b7fffffffff0000000000000000000000000000000000000000000000000000000081168114610909575f5ffd5b5f60208284031215612b85575f5ffd5b8135611b6981612b48565b5f81518084528060208401602086015e5f602082860101526020601f19601f83011685010191505092915050565b602081525f611b696020830184612b90565b5f60208284031215612be0575f5ffd5b5035919050565b6001600160a01b0381168114610909575f5ffd5b5f5f60408385031215612c0c575f5ffd5b8235612c1781612be7565b946020939093013593505050565b5f5f5f60408486031215612c37575f5ffd5b83359250602084013567ffffffffffffffff811115612c54575f5ffd5b8401601f81018613612c64575f5ffd5b803567ffffffffffffffff811115612c7a575f5ffd5b866020828401011115612c8b575f5ffd5b939660209190910195509293505050565b5f5f5f60608486031215612cae575f5ffd5b8335612cb981612be7565b92506020840135612cc981612be7565b929592945050506040919091013590565b5f5f60408385031215612ceb575f5ffd5b823591506020830135612cfd81612be7565b809150509250929050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b60038110612d6a577f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b9052565b6020810161082c8284612d35565b5f60208284031215612d8c575f5ffd5b8135611b6981612be7565b803565ffffffffffff81168114612dac575f5ffd5b919050565b5f60208284031215612dc1575f5ffd5b611b6982612d97565b80358015158114612dac575f5ffd5b5f5f60408385031215612dea575f5ffd5b8235612df581612be7565b9150612e0360208401612dca565b90509250929050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b5f5f5f5f60808587031215612e4c575f5ffd5b8435612e5781612be7565b93506020850135612e6781612be7565b925060408501359150606085013567ffffffffffffffff811115612e89575f5ffd5b8501601f81018713612e99575f5ffd5b803567ffffffffffffffff811115612eb357612eb3612e0c565b604051601f19603f601f19601f8501160116810181811067ffffffffffffffff82111715612ee357612ee3612e0c565b604052818152828201602001891015612efa575f5ffd5b816020840160208301375f6020838301015280935050505092959194509250565b5f60208284031215612f2b575f5ffd5b813567ffffffffffffffff811115612f41575f5ffd5b82016101e08185031215611b69575f5ffd5b5f5f60408385031215612f64575f5ffd5b8235612f6f81612be7565b91506020830135612cfd81612be7565b600181811c90821680612f9357607f821691505b602082108103612fca577f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b50919050565b5f60208284031215612fe0575f5ffd5b813560038110611b69575f5ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b5f5f19820361302c5761302c612fee565b5060010190565b5f60208284031215613043575f5ffd5b8151611b6981612be7565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112613081575f5ffd5b83018035915067ffffffffffffffff82111561309b575f5ffd5b6020019150368190038213156130af575f5ffd5b9250929050565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe18436030181126130e9575f5ffd5b83018035915067ffffffffffffffff821115613103575f5ffd5b602001915060e0810236038213156130af575f5ffd5b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe184360301811261314c575f5ffd5b83018035915067ffffffffffffffff821115613166575f5ffd5b6020019150600581901b36038213156130af575f5ffd5b80356fffffffffffffffffffffffffffffffff81168114612dac575f5ffd5b8183526020830192505f815f5b848110156132ac5781356131bc81612be7565b6001600160a01b031686526fffffffffffffffffffffffffffffffff6131e46020840161317d565b1660208701526fffffffffffffffffffffffffffffffff6132076040840161317d565b1660408701526fffffffffffffffffffffffffffffffff61322a6060840161317d565b16606087015261323c6080830161317d565b6fffffffffffffffffffffffffffffffff16608087015261325f60a0830161317d565b6fffffffffffffffffffffffffffffffff1660a087015261328260c0830161317d565b6fffffffffffffffffffffffffffffffff1660c087015260e09586019591909101906001016131a9565b5093949350505050565b8183526020830192505f815f5b848110156132ac5781356132d681612be7565b6001600160a01b0316865260209586019591909101906001016132c3565b8a81525f5f8b3590508060208401525065ffffffffffff61331760208d01612d97565b16604083015265ffffffffffff61333060408d01612d97565b16606083015260608b013560ff811680821461334a575f5ffd5b806080850152505061335e60808c01612dca565b151560a08301525f60a08c013590508060c08401525061018060e083015261338b61018083018a8c61319c565b82810361010084015261339f81898b6132b6565b90508281036101208401526133b58187896132b6565b9150506133ce6101408301856001600160a01b03169052565b65ffffffffffff83166101608301529b9a5050505050505050505050565b604081016133fa8285612d35565b8260208301529392505050565b5f81518060208401855e5f93019283525090919050565b5f6112b361342c8386613407565b84613407565b601f8211156109a357828211156109a357805f5260205f20601f840160051c602085101561345d57505f5b90810190601f840160051c035f5b818110156119c4575f8382015560010161346b565b815167ffffffffffffffff81111561349a5761349a612e0c565b6134ae816134a88454612f7f565b84613432565b6020601f8211600181146134e0575f83156134c95750848201515b5f19600385901b1c1916600184901b1784556119c6565b5f84815260208120601f198516915b8281101561350f57878501518255602094850194600190920191016134ef565b508482101561352c57868401515f19600387901b60f8161c191681555b50505050600190811b01905550565b5f63ffffffff821663ffffffff810361355657613556612fee565b60010192915050565b65ffffffffffff818116838216019081111561082c5761082c612fee565b6001600160a01b03851681526001600160a01b0384166020820152826040820152608060608201525f6135b36080830184612b90565b9695505050505050565b5f602082840312156135cd575f5ffd5b8151611b6981612b48565b5f611b698284613407565b80516020808301519190811015612fca575f1960209190910360031b1b16919050565b65ffffffffffff828116828216039081111561082c5761082c612fee56fea164736f6c6343000825000a' as const;

/** The code on chain: its length, where the constructor writes into it, and its hash with those bytes zero. */
export const agentNftRuntime = {
  length: 13873,
  immutables: [[1018,32],[1921,32],[3692,32],[4351,32]],
  codeHash: '0x6efd168042d0342c85b759af8d462d449b9c81538c20a1b8c7ef388431973725',
} as const;
