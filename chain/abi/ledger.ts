// Made by `npm run contracts` from chain/contracts/Ledger.sol with solc 0.8.37. Not to be edited.

export const ledgerAbi = [
  {"inputs":[{"internalType":"address","name":"authority","type":"address"}],"stateMutability":"nonpayable","type":"constructor"},
  {"inputs":[{"internalType":"bytes32","name":"root","type":"bytes32"}],"name":"AlreadyAnchored","type":"error"},
  {"inputs":[],"name":"EmptyBatch","type":"error"},
  {"inputs":[{"internalType":"uint64","name":"role","type":"uint64"},{"internalType":"address","name":"caller","type":"address"}],"name":"NotInRole","type":"error"},
  {"anonymous":false,"inputs":[{"indexed":true,"internalType":"bytes32","name":"root","type":"bytes32"},{"indexed":false,"internalType":"uint32","name":"size","type":"uint32"},{"indexed":true,"internalType":"uint64","name":"batch","type":"uint64"}],"name":"Anchored","type":"event"},
  {"inputs":[],"name":"AUTHORITY","outputs":[{"internalType":"contract IAccessManager","name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"bytes32","name":"root","type":"bytes32"},{"internalType":"uint32","name":"size","type":"uint32"}],"name":"anchor","outputs":[{"internalType":"uint64","name":"batch","type":"uint64"}],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"bytes32","name":"root","type":"bytes32"}],"name":"anchoredAt","outputs":[{"internalType":"uint48","name":"","type":"uint48"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"batches","outputs":[{"internalType":"uint64","name":"","type":"uint64"}],"stateMutability":"view","type":"function"},
] as const;

/** Creation code, without the constructor's arguments. */
export const ledgerBytecode =
  '0x60a0604052348015600e575f5ffd5b5060405161047e38038061047e833981016040819052602b91603b565b6001600160a01b03166080526066565b5f60208284031215604a575f5ffd5b81516001600160a01b0381168114605f575f5ffd5b9392505050565b6080516103fa6100845f395f8181608401526102a301526103fa5ff3fe608060405234801561000f575f5ffd5b506004361061004a575f3560e01c806347489de41461004e57806389fcd7961461007f5780639591a610146100be578063cfdf677e146100fc575b5f5ffd5b61006161005c36600461033f565b61010f565b60405167ffffffffffffffff90911681526020015b60405180910390f35b6100a67f000000000000000000000000000000000000000000000000000000000000000081565b6040516001600160a01b039091168152602001610076565b6100e56100cc36600461036d565b60016020525f908152604090205465ffffffffffff1681565b60405165ffffffffffff9091168152602001610076565b5f546100619067ffffffffffffffff1681565b5f600261011c813361026e565b61015057604051636a83682b60e01b815267ffffffffffffffff821660048201523360248201526044015b60405180910390fd5b831580610161575063ffffffff8316155b1561017f5760405163c2e5347d60e01b815260040160405180910390fd5b5f8481526001602052604090205465ffffffffffff16156101b6576040516330d2381360e01b815260048101859052602401610147565b5f848152600160205260408120805465ffffffffffff19164265ffffffffffff16179055805481906101f19067ffffffffffffffff16610384565b91906101000a81548167ffffffffffffffff021916908367ffffffffffffffff160217905591508167ffffffffffffffff16847f4a2bcbc71b326a54dde95c11b18deac102a4a655e463f5bc4d4af81be4cc18298560405161025f919063ffffffff91909116815260200190565b60405180910390a35092915050565b6040516368fc2b7760e11b815267ffffffffffffffff831660048201526001600160a01b0382811660248301525f91829182917f00000000000000000000000000000000000000000000000000000000000000009091169063d1f856ee906044016040805180830381865afa1580156102e9573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061030d91906103bc565b91509150818015610322575063ffffffff8116155b95945050505050565b63ffffffff8116811461033c575f5ffd5b50565b5f5f60408385031215610350575f5ffd5b8235915060208301356103628161032b565b809150509250929050565b5f6020828403121561037d575f5ffd5b5035919050565b5f67ffffffffffffffff821667ffffffffffffffff81036103b357634e487b7160e01b5f52601160045260245ffd5b60010192915050565b5f5f604083850312156103cd575f5ffd5b825180151581146103dc575f5ffd5b60208401519092506103628161032b56fea164736f6c6343000825000a' as const;

/** The code on chain: its length, where the constructor writes into it, and its hash with those bytes zero. */
export const ledgerRuntime = {
  length: 1018,
  immutables: [[132,32],[675,32]],
  codeHash: '0x7d11af8102bbb6931b252811de3977c00298b9c4f300c1a5b120946d4c41598b',
} as const;
