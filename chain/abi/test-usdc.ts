// Made by `npm run contracts` from chain/contracts/TestUSDC.sol with solc 0.8.37. Not to be edited.

export const testUsdcAbi = [
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "minter",
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
  },
  {
    "inputs": [],
    "name": "InvalidShortString",
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
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "value",
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
        "name": "authorizer",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "nonce",
        "type": "bytes32"
      }
    ],
    "name": "AuthorizationCanceled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "authorizer",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "nonce",
        "type": "bytes32"
      }
    ],
    "name": "AuthorizationUsed",
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
        "indexed": false,
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "Transfer",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "CANCEL_AUTHORIZATION_TYPEHASH",
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
    "name": "DOMAIN_SEPARATOR",
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
    "name": "MINTER",
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
    "name": "PERMIT_TYPEHASH",
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
    "name": "RECEIVE_WITH_AUTHORIZATION_TYPEHASH",
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
    "name": "TRANSFER_WITH_AUTHORIZATION_TYPEHASH",
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
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      }
    ],
    "name": "allowance",
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
        "name": "spender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "approve",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "authorizer",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "nonce",
        "type": "bytes32"
      }
    ],
    "name": "authorizationState",
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
        "name": "account",
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
        "name": "authorizer",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "nonce",
        "type": "bytes32"
      },
      {
        "internalType": "uint8",
        "name": "v",
        "type": "uint8"
      },
      {
        "internalType": "bytes32",
        "name": "r",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "s",
        "type": "bytes32"
      }
    ],
    "name": "cancelAuthorization",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "authorizer",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "nonce",
        "type": "bytes32"
      },
      {
        "internalType": "bytes",
        "name": "signature",
        "type": "bytes"
      }
    ],
    "name": "cancelAuthorization",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "decimals",
    "outputs": [
      {
        "internalType": "uint8",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "pure",
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
    "name": "mint",
    "outputs": [],
    "stateMutability": "nonpayable",
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
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
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
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "deadline",
        "type": "uint256"
      },
      {
        "internalType": "bytes",
        "name": "signature",
        "type": "bytes"
      }
    ],
    "name": "permit",
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
      },
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "deadline",
        "type": "uint256"
      },
      {
        "internalType": "uint8",
        "name": "v",
        "type": "uint8"
      },
      {
        "internalType": "bytes32",
        "name": "r",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "s",
        "type": "bytes32"
      }
    ],
    "name": "permit",
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
        "name": "value",
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
        "internalType": "bytes",
        "name": "signature",
        "type": "bytes"
      }
    ],
    "name": "receiveWithAuthorization",
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
        "name": "value",
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
        "internalType": "uint8",
        "name": "v",
        "type": "uint8"
      },
      {
        "internalType": "bytes32",
        "name": "r",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "s",
        "type": "bytes32"
      }
    ],
    "name": "receiveWithAuthorization",
    "outputs": [],
    "stateMutability": "nonpayable",
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
    "inputs": [],
    "name": "totalSupply",
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
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "transfer",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
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
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "transferFrom",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
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
        "name": "value",
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
        "internalType": "bytes",
        "name": "signature",
        "type": "bytes"
      }
    ],
    "name": "transferWithAuthorization",
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
        "name": "value",
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
        "internalType": "uint8",
        "name": "v",
        "type": "uint8"
      },
      {
        "internalType": "bytes32",
        "name": "r",
        "type": "bytes32"
      },
      {
        "internalType": "bytes32",
        "name": "s",
        "type": "bytes32"
      }
    ],
    "name": "transferWithAuthorization",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "version",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  }
] as const;

/** Creation code, without the constructor's arguments. */
export const testUsdcBytecode =
  '0x610180604052348015610010575f5ffd5b5060405161268938038061268983398101604081905261002f916101c8565b604051806040016040528060048152602001635553444360e01b815250604051806040016040528060018152602001601960f91b815250604051806040016040528060048152602001635553444360e01b815250604051806040016040528060048152602001635553444360e01b81525081600390816100af9190610298565b5060046100bc8282610298565b5050506100ce8261018260201b60201c565b610120526100db81610182565b61014052815160208084019190912060e052815190820120610100524660a05261016760e05161010051604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201529081019290925260608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b60805250503060c0526001600160a01b0316610160526103ae565b5f5f829050601f815111156101b5578260405163305a27a960e01b81526004016101ac9190610356565b60405180910390fd5b80516101c08261038b565b179392505050565b5f602082840312156101d8575f5ffd5b81516001600160a01b03811681146101ee575f5ffd5b9392505050565b634e487b7160e01b5f52604160045260245ffd5b600181811c9082168061021d57607f821691505b60208210810361023b57634e487b7160e01b5f52602260045260245ffd5b50919050565b601f821115610293578282111561029357805f5260205f20601f840160051c602085101561026c57505f5b90810190601f840160051c035f5b8181101561028f575f8382015560010161027a565b5050505b505050565b81516001600160401b038111156102b1576102b16101f5565b6102c5816102bf8454610209565b84610241565b6020601f8211600181146102f7575f83156102e05750848201515b5f19600385901b1c1916600184901b17845561034f565b5f84815260208120601f198516915b828110156103265787850151825560209485019460019092019101610306565b508482101561034357868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b8051602080830151919081101561023b575f1960209190910360031b1b16919050565b60805160a05160c05160e051610100516101205161014051610160516122796104105f395f81816104d5015261061001525f61119a01525f61116f01525f6110be01525f61109601525f610ff101525f61101b01525f61104501526122795ff3fe608060405234801561000f575f5ffd5b50600436106101bb575f3560e01c806388b7ab63116100f3578063d505accf11610093578063e3ee160e1161006e578063e3ee160e1461047d578063e94a010214610490578063ef55bec6146104bd578063fe6d8124146104d0575f5ffd5b8063d505accf146103fe578063d916948714610411578063dd62ed3e14610438575f5ffd5b8063a0cc6a68116100ce578063a0cc6a681461039e578063a9059cbb146103c5578063b7b72899146103d8578063cf092995146103eb575f5ffd5b806388b7ab631461037057806395d89b41146103835780639fd5a6cf1461038b575f5ffd5b806340c10f191161015e57806370a082311161013957806370a08231146102c45780637ecebe00146102f95780637f2eecc31461032e57806384b0196e14610355575f5ffd5b806340c10f191461026357806354fd4d50146102785780635a049a70146102b1575f5ffd5b806323b872dd1161019957806323b872dd1461021257806330adf81f14610225578063313ce5671461024c5780633644e5151461025b575f5ffd5b806306fdde03146101bf578063095ea7b3146101dd57806318160ddd14610200575b5f5ffd5b6101c761051c565b6040516101d49190611ca2565b60405180910390f35b6101f06101eb366004611cdc565b6105ac565b60405190151581526020016101d4565b6002545b6040519081526020016101d4565b6101f0610220366004611d04565b6105c5565b6102047f6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c981565b604051600681526020016101d4565b6102046105ea565b610276610271366004611cdc565b6105f8565b005b60408051808201909152600181527f320000000000000000000000000000000000000000000000000000000000000060208201526101c7565b6102766102bf366004611d4e565b6106d0565b6102046102d2366004611d98565b73ffffffffffffffffffffffffffffffffffffffff165f9081526020819052604090205490565b610204610307366004611d98565b73ffffffffffffffffffffffffffffffffffffffff165f9081526007602052604090205490565b6102047fd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de881565b61035d610733565b6040516101d49796959493929190611db1565b61027661037e366004611f65565b610791565b6101c76108e5565b610276610399366004611fe4565b6108f4565b6102047f7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a226781565b6101f06103d3366004611cdc565b610ac9565b6102766103e6366004612051565b610ad6565b6102766103f9366004611f65565b610c8f565b61027661040c3660046120a4565b610d07565b6102047f158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a159742981565b61020461044636600461210a565b73ffffffffffffffffffffffffffffffffffffffff9182165f90815260016020908152604080832093909416825291909152205490565b61027661048b36600461213b565b610d76565b6101f061049e366004611cdc565b600860209081525f928352604080842090915290825290205460ff1681565b6102766104cb36600461213b565b610de9565b6104f77f000000000000000000000000000000000000000000000000000000000000000081565b60405173ffffffffffffffffffffffffffffffffffffffff90911681526020016101d4565b60606003805461052b906121b6565b80601f0160208091040260200160405190810160405280929190818152602001828054610557906121b6565b80156105a25780601f10610579576101008083540402835291602001916105a2565b820191905f5260205f20905b81548152906001019060200180831161058557829003601f168201915b5050505050905090565b5f336105b9818585610e51565b60019150505b92915050565b5f336105d2858285610e63565b6105dd858585610f2f565b60019150505b9392505050565b5f6105f3610fd8565b905090565b3373ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016146106c2576040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152602160248201527f46696174546f6b656e3a2063616c6c6572206973206e6f742061206d696e746560448201527f720000000000000000000000000000000000000000000000000000000000000060648201526084015b60405180910390fd5b6106cc828261110e565b5050565b60408051602081018490529081018290527fff0000000000000000000000000000000000000000000000000000000000000060f885901b16606082015261072c9086908690606101604051602081830303815290604052610ad6565b5050505050565b5f6060805f5f5f6060610744611168565b61074c611193565b604080515f808252602082019092527f0f000000000000000000000000000000000000000000000000000000000000009b939a50919850469750309650945092509050565b73ffffffffffffffffffffffffffffffffffffffff86163314610836576040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152602560248201527f46696174546f6b656e56323a2063616c6c6572206d757374206265207468652060448201527f706179656500000000000000000000000000000000000000000000000000000060648201526084016106b9565b604080517fd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8602082015273ffffffffffffffffffffffffffffffffffffffff808a169282019290925290871660608201526080810186905260a0810185905260c0810184905260e081018390525f90610100015b6040516020818303038152906040528051906020012090506108d08886868685876111be565b6108db888888610f2f565b5050505050505050565b60606004805461052b906121b6565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8214806109225750428210155b610988576040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152601e60248201527f46696174546f6b656e56323a207065726d69742069732065787069726564000060448201526064016106b9565b5f7f6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c98686866109e08a73ffffffffffffffffffffffffffffffffffffffff165f90815260076020526040902080546001810190915590565b60408051602081019690965273ffffffffffffffffffffffffffffffffffffffff94851690860152929091166060840152608083015260a082015260c0810184905260e001604051602081830303815290604052805190602001209050610a5086610a4a8361142f565b84611476565b610ab6576040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152601a60248201527f454950323631323a20696e76616c6964207369676e617475726500000000000060448201526064016106b9565b610ac1868686610e51565b505050505050565b5f336105b9818585610f2f565b73ffffffffffffffffffffffffffffffffffffffff83165f90815260086020908152604080832085845290915290205460ff1615610b96576040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152602e60248201527f46696174546f6b656e56323a20617574686f72697a6174696f6e20697320757360448201527f6564206f722063616e63656c656400000000000000000000000000000000000060648201526084016106b9565b604080517f158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429602082015273ffffffffffffffffffffffffffffffffffffffff85169181019190915260608101839052610c0a908490608001604051602081830303815290604052805190602001208361150d565b73ffffffffffffffffffffffffffffffffffffffff83165f81815260086020908152604080832086845290915280822080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00166001179055518492917f1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d8191a3505050565b604080517f7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267602082015273ffffffffffffffffffffffffffffffffffffffff808a169282019290925290871660608201526080810186905260a0810185905260c0810184905260e081018390525f90610100016108aa565b610d6d87878787868689604051602001610d5993929190928352602083019190915260f81b7fff0000000000000000000000000000000000000000000000000000000000000016604082015260410190565b6040516020818303038152906040526108f4565b50505050505050565b610dde89898989898988888b604051602001610dca93929190928352602083019190915260f81b7fff0000000000000000000000000000000000000000000000000000000000000016604082015260410190565b604051602081830303815290604052610c8f565b505050505050505050565b610dde89898989898988888b604051602001610e3d93929190928352602083019190915260f81b7fff0000000000000000000000000000000000000000000000000000000000000016604082015260410190565b604051602081830303815290604052610791565b610e5e8383836001611586565b505050565b73ffffffffffffffffffffffffffffffffffffffff8084165f90815260016020908152604080832093861683529290522054811115610f24576040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152602860248201527f45524332303a207472616e7366657220616d6f756e742065786365656473206160448201527f6c6c6f77616e636500000000000000000000000000000000000000000000000060648201526084016106b9565b610e5e8383836116cc565b73ffffffffffffffffffffffffffffffffffffffff8316610f7e576040517f96c6fd1e0000000000000000000000000000000000000000000000000000000081525f60048201526024016106b9565b73ffffffffffffffffffffffffffffffffffffffff8216610fcd576040517fec442f050000000000000000000000000000000000000000000000000000000081525f60048201526024016106b9565b610e5e838383611794565b5f3073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001614801561103d57507f000000000000000000000000000000000000000000000000000000000000000046145b1561106757507f000000000000000000000000000000000000000000000000000000000000000090565b6105f3604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b73ffffffffffffffffffffffffffffffffffffffff821661115d576040517fec442f050000000000000000000000000000000000000000000000000000000081525f60048201526024016106b9565b6106cc5f8383611794565b60606105f37f0000000000000000000000000000000000000000000000000000000000000000611878565b60606105f37f0000000000000000000000000000000000000000000000000000000000000000611878565b84421161124d576040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152602b60248201527f46696174546f6b656e56323a20617574686f72697a6174696f6e206973206e6f60448201527f74207965742076616c696400000000000000000000000000000000000000000060648201526084016106b9565b8342106112dc576040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152602560248201527f46696174546f6b656e56323a20617574686f72697a6174696f6e20697320657860448201527f706972656400000000000000000000000000000000000000000000000000000060648201526084016106b9565b73ffffffffffffffffffffffffffffffffffffffff86165f90815260086020908152604080832086845290915290205460ff161561139c576040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152602e60248201527f46696174546f6b656e56323a20617574686f72697a6174696f6e20697320757360448201527f6564206f722063616e63656c656400000000000000000000000000000000000060648201526084016106b9565b6113a786838361150d565b73ffffffffffffffffffffffffffffffffffffffff86165f81815260086020908152604080832087845290915280822080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00166001179055518592917f98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a591a3505050505050565b5f6105bf61143b610fd8565b836040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b5f8373ffffffffffffffffffffffffffffffffffffffff163b5f036114fb575f5f6114a185856118b5565b5090925090505f8160038111156114ba576114ba612207565b1480156114f257508573ffffffffffffffffffffffffffffffffffffffff168273ffffffffffffffffffffffffffffffffffffffff16145b925050506105e3565b6115068484846118fe565b90506105e3565b6115208361151a8461142f565b83611476565b610e5e576040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152601e60248201527f46696174546f6b656e56323a20696e76616c6964207369676e6174757265000060448201526064016106b9565b73ffffffffffffffffffffffffffffffffffffffff84166115d5576040517fe602df050000000000000000000000000000000000000000000000000000000081525f60048201526024016106b9565b73ffffffffffffffffffffffffffffffffffffffff8316611624576040517f94280d620000000000000000000000000000000000000000000000000000000081525f60048201526024016106b9565b73ffffffffffffffffffffffffffffffffffffffff8085165f90815260016020908152604080832093871683529290522082905580156116c6578273ffffffffffffffffffffffffffffffffffffffff168473ffffffffffffffffffffffffffffffffffffffff167f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925846040516116bd91815260200190565b60405180910390a35b50505050565b73ffffffffffffffffffffffffffffffffffffffff8381165f908152600160209081526040808320938616835292905220547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8110156116c65781811015611786576040517ffb8f41b200000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8416600482015260248101829052604481018390526064016106b9565b6116c684848484035f611586565b73ffffffffffffffffffffffffffffffffffffffff831615806117e15750806117de8473ffffffffffffffffffffffffffffffffffffffff165f9081526020819052604090205490565b10155b61186d576040517f08c379a000000000000000000000000000000000000000000000000000000000815260206004820152602660248201527f45524332303a207472616e7366657220616d6f756e742065786365656473206260448201527f616c616e6365000000000000000000000000000000000000000000000000000060648201526084016106b9565b610e5e83838361197c565b60605f61188483611b23565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b5f5f5f83516041036118ec576020840151604085015160608601515f1a6118de88828585611b63565b9550955095505050506118f7565b505081515f91506002905b9250925092565b8051604080517f1626ba7e000000000000000000000000000000000000000000000000000000008082526004820186905260248201929092525f92906020820185604483015e5f82606483010152601f820160051c60051b915060205f60648401838a5afa9050825f5114601f3d1116811693505050509392505050565b73ffffffffffffffffffffffffffffffffffffffff83166119b3578060025f8282546119a89190612234565b90915550611a639050565b73ffffffffffffffffffffffffffffffffffffffff83165f9081526020819052604090205481811015611a38576040517fe450d38c00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8516600482015260248101829052604481018390526064016106b9565b73ffffffffffffffffffffffffffffffffffffffff84165f9081526020819052604090209082900390555b73ffffffffffffffffffffffffffffffffffffffff8216611a8c57600280548290039055611ab7565b73ffffffffffffffffffffffffffffffffffffffff82165f9081526020819052604090208054820190555b8173ffffffffffffffffffffffffffffffffffffffff168373ffffffffffffffffffffffffffffffffffffffff167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef83604051611b1691815260200190565b60405180910390a3505050565b5f60ff8216601f8111156105bf576040517fb3512b0c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0841115611b9c57505f91506003905082611c4c565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015611bed573d5f5f3e3d5ffd5b50506040517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0015191505073ffffffffffffffffffffffffffffffffffffffff8116611c4357505f925060019150829050611c4c565b92505f91508190505b9450945094915050565b5f81518084528060208401602086015e5f6020828601015260207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011685010191505092915050565b602081525f6105e36020830184611c56565b803573ffffffffffffffffffffffffffffffffffffffff81168114611cd7575f5ffd5b919050565b5f5f60408385031215611ced575f5ffd5b611cf683611cb4565b946020939093013593505050565b5f5f5f60608486031215611d16575f5ffd5b611d1f84611cb4565b9250611d2d60208501611cb4565b929592945050506040919091013590565b803560ff81168114611cd7575f5ffd5b5f5f5f5f5f60a08688031215611d62575f5ffd5b611d6b86611cb4565b945060208601359350611d8060408701611d3e565b94979396509394606081013594506080013592915050565b5f60208284031215611da8575f5ffd5b6105e382611cb4565b7fff000000000000000000000000000000000000000000000000000000000000008816815260e060208201525f611deb60e0830189611c56565b8281036040840152611dfd8189611c56565b6060840188905273ffffffffffffffffffffffffffffffffffffffff8716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b81811015611e5f578351835260209384019390920191600101611e41565b50909b9a5050505050505050505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b5f82601f830112611eac575f5ffd5b813567ffffffffffffffff811115611ec657611ec6611e70565b6040517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0603f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f8501160116810181811067ffffffffffffffff82111715611f3257611f32611e70565b604052818152838201602001851015611f49575f5ffd5b816020850160208301375f918101602001919091529392505050565b5f5f5f5f5f5f5f60e0888a031215611f7b575f5ffd5b611f8488611cb4565b9650611f9260208901611cb4565b955060408801359450606088013593506080880135925060a0880135915060c088013567ffffffffffffffff811115611fc9575f5ffd5b611fd58a828b01611e9d565b91505092959891949750929550565b5f5f5f5f5f60a08688031215611ff8575f5ffd5b61200186611cb4565b945061200f60208701611cb4565b93506040860135925060608601359150608086013567ffffffffffffffff811115612038575f5ffd5b61204488828901611e9d565b9150509295509295909350565b5f5f5f60608486031215612063575f5ffd5b61206c84611cb4565b925060208401359150604084013567ffffffffffffffff81111561208e575f5ffd5b61209a86828701611e9d565b9150509250925092565b5f5f5f5f5f5f5f60e0888a0312156120ba575f5ffd5b6120c388611cb4565b96506120d160208901611cb4565b955060408801359450606088013593506120ed60808901611d3e565b9699959850939692959460a0840135945060c09093013592915050565b5f5f6040838503121561211b575f5ffd5b61212483611cb4565b915061213260208401611cb4565b90509250929050565b5f5f5f5f5f5f5f5f5f6101208a8c031215612154575f5ffd5b61215d8a611cb4565b985061216b60208b01611cb4565b975060408a0135965060608a0135955060808a0135945060a08a0135935061219560c08b01611d3e565b989b979a50959894979396929550929360e081013593506101000135919050565b600181811c908216806121ca57607f821691505b602082108103612201577f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b50919050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b808201808211156105bf577f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffdfea164736f6c6343000825000a' as const;

/** The code on chain: its length, where the constructor writes into it, and its hash with those bytes zero. */
export const testUsdcRuntime = {
  length: 8825,
  immutables: [[1237,32],[1552,32],[4081,32],[4123,32],[4165,32],[4246,32],[4286,32],[4463,32],[4506,32]],
  codeHash: '0xc7a051e7be55a2dbc11ba6d71f9abf499fe4b264d84712de5600b33d978f69c2',
} as const;
