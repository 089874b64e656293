// Made by `npm run contracts` from chain/contracts/DemoAssets.sol with solc 0.8.37. Not to be edited.

export const demoAssetsAbi = [
  {
    "inputs": [],
    "stateMutability": "nonpayable",
    "type": "constructor"
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
        "internalType": "address",
        "name": "to",
        "type": "address"
      }
    ],
    "name": "mint",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "id",
        "type": "uint256"
      }
    ],
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
        "internalType": "uint256",
        "name": "tokenId",
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
        "name": "id",
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
  }
] as const;

/** Creation code, without the constructor's arguments. */
export const demoAssetsBytecode =
  '0x608060405234801561000f575f5ffd5b506040518060400160405280601981526020017f536166652048616e647368616b652044656d6f204173736574000000000000008152506040518060400160405280600481526020016344454d4f60e01b815250815f90816100719190610129565b50600161007e8282610129565b5050506101e7565b634e487b7160e01b5f52604160045260245ffd5b600181811c908216806100ae57607f821691505b6020821081036100cc57634e487b7160e01b5f52602260045260245ffd5b50919050565b601f821115610124578282111561012457805f5260205f20601f840160051c60208510156100fd57505f5b90810190601f840160051c035f5b81811015610120575f8382015560010161010b565b5050505b505050565b81516001600160401b0381111561014257610142610086565b61015681610150845461009a565b846100d2565b6020601f821160018114610188575f83156101715750848201515b5f19600385901b1c1916600184901b1784556101e0565b5f84815260208120601f198516915b828110156101b75787850151825560209485019460019092019101610197565b50848210156101d457868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b6115d2806101f45f395ff3fe608060405234801561000f575f5ffd5b50600436106100f0575f3560e01c80636a62784211610093578063b88d4fde11610063578063b88d4fde14610206578063c1292cc314610219578063c87b56dd14610222578063e985e9c514610235575f5ffd5b80636a627842146101b757806370a08231146101d857806395d89b41146101eb578063a22cb465146101f3575f5ffd5b8063095ea7b3116100ce578063095ea7b31461016957806323b872dd1461017e57806342842e0e146101915780636352211e146101a4575f5ffd5b806301ffc9a7146100f457806306fdde031461011c578063081812fc14610131575b5f5ffd5b610107610102366004611133565b61027d565b60405190151581526020015b60405180910390f35b610124610361565b60405161011391906111a1565b61014461013f3660046111b3565b6103f0565b60405173ffffffffffffffffffffffffffffffffffffffff9091168152602001610113565b61017c6101773660046111ed565b610424565b005b61017c61018c366004611215565b610433565b61017c61019f366004611215565b610527565b6101446101b23660046111b3565b610546565b6101ca6101c536600461124f565b610550565b604051908152602001610113565b6101ca6101e636600461124f565b610575565b6101246105ed565b61017c610201366004611268565b6105fc565b61017c6102143660046112ce565b610607565b6101ca60065481565b6101246102303660046111b3565b61061f565b6101076102433660046113e8565b73ffffffffffffffffffffffffffffffffffffffff9182165f90815260056020908152604080832093909416825291909152205460ff1690565b5f7fffffffff0000000000000000000000000000000000000000000000000000000082167f80ac58cd00000000000000000000000000000000000000000000000000000000148061030f57507fffffffff0000000000000000000000000000000000000000000000000000000082167f5b5e139f00000000000000000000000000000000000000000000000000000000145b8061035b57507f01ffc9a7000000000000000000000000000000000000000000000000000000007fffffffff000000000000000000000000000000000000000000000000000000008316145b92915050565b60605f805461036f90611419565b80601f016020809104026020016040519081016040528092919081815260200182805461039b90611419565b80156103e65780601f106103bd576101008083540402835291602001916103e6565b820191905f5260205f20905b8154815290600101906020018083116103c957829003601f168201915b5050505050905090565b5f6103fa8261065a565b505f8281526004602052604090205473ffffffffffffffffffffffffffffffffffffffff1661035b565b61042f8282336106b8565b5050565b73ffffffffffffffffffffffffffffffffffffffff8216610487576040517f64a0ae920000000000000000000000000000000000000000000000000000000081525f60048201526024015b60405180910390fd5b5f6104938383336106c5565b90508373ffffffffffffffffffffffffffffffffffffffff168173ffffffffffffffffffffffffffffffffffffffff1614610521576040517f64283d7b00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8086166004830152602482018490528216604482015260640161047e565b50505050565b61054183838360405180602001604052805f815250610607565b505050565b5f61035b8261065a565b5f60065f815461055f9061146a565b91829055509050610570828261083c565b919050565b5f73ffffffffffffffffffffffffffffffffffffffff82166105c5576040517f89c62b640000000000000000000000000000000000000000000000000000000081525f600482015260240161047e565b5073ffffffffffffffffffffffffffffffffffffffff165f9081526003602052604090205490565b60606001805461036f90611419565b61042f3383836108e9565b610612848484610433565b6105213385858585610a34565b606061062a8261065a565b5061063482610c2a565b60405160200161064491906114c6565b6040516020818303038152906040529050919050565b5f8181526002602052604081205473ffffffffffffffffffffffffffffffffffffffff168061035b576040517f7e2732890000000000000000000000000000000000000000000000000000000081526004810184905260240161047e565b6105418383836001610ce6565b5f8281526002602052604081205473ffffffffffffffffffffffffffffffffffffffff908116908316156106fe576106fe818486610eae565b73ffffffffffffffffffffffffffffffffffffffff811615610771576107265f855f5f610ce6565b73ffffffffffffffffffffffffffffffffffffffff81165f90815260036020526040902080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0190555b73ffffffffffffffffffffffffffffffffffffffff8516156107b95773ffffffffffffffffffffffffffffffffffffffff85165f908152600360205260409020805460010190555b5f8481526002602052604080822080547fffffffffffffffffffffffff00000000000000000000000000000000000000001673ffffffffffffffffffffffffffffffffffffffff89811691821790925591518793918516917fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef91a4949350505050565b73ffffffffffffffffffffffffffffffffffffffff821661088b576040517f64a0ae920000000000000000000000000000000000000000000000000000000081525f600482015260240161047e565b5f61089783835f6106c5565b905073ffffffffffffffffffffffffffffffffffffffff811615610541576040517f73c6ac6e0000000000000000000000000000000000000000000000000000000081525f600482015260240161047e565b73ffffffffffffffffffffffffffffffffffffffff8316610938576040517fa9fbf51f0000000000000000000000000000000000000000000000000000000081525f600482015260240161047e565b73ffffffffffffffffffffffffffffffffffffffff821661099d576040517f5b08ba1800000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8316600482015260240161047e565b73ffffffffffffffffffffffffffffffffffffffff8381165f8181526005602090815260408083209487168084529482529182902080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001686151590811790915591519182527f17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31910160405180910390a3505050565b73ffffffffffffffffffffffffffffffffffffffff83163b15610c23576040517f150b7a0200000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff84169063150b7a0290610aa9908890889087908790600401611550565b6020604051808303815f875af1925050508015610b01575060408051601f3d9081017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0168201909252610afe918101906115aa565b60015b610b8e573d808015610b2e576040519150601f19603f3d011682016040523d82523d5f602084013e610b33565b606091505b5080515f03610b86576040517f64a0ae9200000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8516600482015260240161047e565b805160208201fd5b7fffffffff0000000000000000000000000000000000000000000000000000000081167f150b7a020000000000000000000000000000000000000000000000000000000014610c21576040517f64a0ae9200000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8516600482015260240161047e565b505b5050505050565b60605f610c3683610f5e565b60010190505f8167ffffffffffffffff811115610c5557610c556112a1565b6040519080825280601f01601f191660200182016040528015610c7f576020820181803683370190505b5090508181016020015b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff017f3031323334353637383961626364656600000000000000000000000000000000600a86061a8153600a8504945084610c8957509392505050565b8080610d07575073ffffffffffffffffffffffffffffffffffffffff821615155b15610e5a575f610d168461065a565b905073ffffffffffffffffffffffffffffffffffffffff831615801590610d6957508273ffffffffffffffffffffffffffffffffffffffff168173ffffffffffffffffffffffffffffffffffffffff1614155b8015610da7575073ffffffffffffffffffffffffffffffffffffffff8082165f9081526005602090815260408083209387168352929052205460ff16155b15610df6576040517fa9fbf51f00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8416600482015260240161047e565b8115610e5857838573ffffffffffffffffffffffffffffffffffffffff168273ffffffffffffffffffffffffffffffffffffffff167f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92560405160405180910390a45b505b50505f90815260046020526040902080547fffffffffffffffffffffffff00000000000000000000000000000000000000001673ffffffffffffffffffffffffffffffffffffffff92909216919091179055565b610eb983838361103f565b6105415773ffffffffffffffffffffffffffffffffffffffff8316610f0d576040517f7e2732890000000000000000000000000000000000000000000000000000000081526004810182905260240161047e565b6040517f177e802f00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff831660048201526024810182905260440161047e565b5f807a184f03e93ff9f4daa797ed6e38ed64bf6a1f0100000000000000008310610fa6577a184f03e93ff9f4daa797ed6e38ed64bf6a1f010000000000000000830492506040015b6d04ee2d6d415b85acef81000000008310610fd2576d04ee2d6d415b85acef8100000000830492506020015b662386f26fc100008310610ff057662386f26fc10000830492506010015b6305f5e1008310611008576305f5e100830492506008015b612710831061101c57612710830492506004015b6064831061102e576064830492506002015b600a831061035b5760010192915050565b5f73ffffffffffffffffffffffffffffffffffffffff8316158015906110fb57508273ffffffffffffffffffffffffffffffffffffffff168473ffffffffffffffffffffffffffffffffffffffff1614806110cb575073ffffffffffffffffffffffffffffffffffffffff8085165f9081526005602090815260408083209387168352929052205460ff165b806110fb57505f8281526004602052604090205473ffffffffffffffffffffffffffffffffffffffff8481169116145b949350505050565b7fffffffff0000000000000000000000000000000000000000000000000000000081168114611130575f5ffd5b50565b5f60208284031215611143575f5ffd5b813561114e81611103565b9392505050565b5f81518084528060208401602086015e5f6020828601015260207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011685010191505092915050565b602081525f61114e6020830184611155565b5f602082840312156111c3575f5ffd5b5035919050565b803573ffffffffffffffffffffffffffffffffffffffff81168114610570575f5ffd5b5f5f604083850312156111fe575f5ffd5b611207836111ca565b946020939093013593505050565b5f5f5f60608486031215611227575f5ffd5b611230846111ca565b925061123e602085016111ca565b929592945050506040919091013590565b5f6020828403121561125f575f5ffd5b61114e826111ca565b5f5f60408385031215611279575f5ffd5b611282836111ca565b915060208301358015158114611296575f5ffd5b809150509250929050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b5f5f5f5f608085870312156112e1575f5ffd5b6112ea856111ca565b93506112f8602086016111ca565b925060408501359150606085013567ffffffffffffffff81111561131a575f5ffd5b8501601f8101871361132a575f5ffd5b803567ffffffffffffffff811115611344576113446112a1565b6040517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0603f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f8501160116810181811067ffffffffffffffff821117156113b0576113b06112a1565b6040528181528282016020018910156113c7575f5ffd5b816020840160208301375f6020838301015280935050505092959194509250565b5f5f604083850312156113f9575f5ffd5b611402836111ca565b9150611410602084016111ca565b90509250929050565b600181811c9082168061142d57607f821691505b602082108103611464577f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b50919050565b5f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff82036114bf577f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b5060010190565b7f646174613a6170706c69636174696f6e2f6a736f6e2c7b226e616d65223a224481527f656d6f206173736574200000000000000000000000000000000000000000000060208201525f82518060208501602a85015e7f227d000000000000000000000000000000000000000000000000000000000000602a939091019283015250602c01919050565b73ffffffffffffffffffffffffffffffffffffffff8516815273ffffffffffffffffffffffffffffffffffffffff84166020820152826040820152608060608201525f6115a06080830184611155565b9695505050505050565b5f602082840312156115ba575f5ffd5b815161114e8161110356fea164736f6c6343000825000a' as const;

/** The code on chain: its length, where the constructor writes into it, and its hash with those bytes zero. */
export const demoAssetsRuntime = {
  length: 5586,
  immutables: [],
  codeHash: '0xea8e663eb98e6180f94cf490828744b8f33b921c8bdfa2f73ae234b5402b1f4a',
} as const;
