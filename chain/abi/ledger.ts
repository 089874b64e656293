// Made by `npm run contracts` from chain/contracts/Ledger.sol with solc 0.8.37. Not to be edited.

export const ledgerAbi = [
  {"inputs":[{"internalType":"address","name":"recorder","type":"address"}],"stateMutability":"nonpayable","type":"constructor"},
  {"inputs":[{"internalType":"bytes32","name":"root","type":"bytes32"}],"name":"AlreadyAnchored","type":"error"},
  {"inputs":[],"name":"EmptyBatch","type":"error"},
  {"inputs":[{"internalType":"address","name":"caller","type":"address"}],"name":"NotRecorder","type":"error"},
  {"anonymous":false,"inputs":[{"indexed":true,"internalType":"bytes32","name":"root","type":"bytes32"},{"indexed":false,"internalType":"uint32","name":"size","type":"uint32"},{"indexed":true,"internalType":"uint64","name":"batch","type":"uint64"}],"name":"Anchored","type":"event"},
  {"inputs":[],"name":"RECORDER","outputs":[{"internalType":"address","name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"bytes32","name":"root","type":"bytes32"},{"internalType":"uint32","name":"size","type":"uint32"}],"name":"anchor","outputs":[{"internalType":"uint64","name":"batch","type":"uint64"}],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"bytes32","name":"root","type":"bytes32"}],"name":"anchoredAt","outputs":[{"internalType":"uint48","name":"","type":"uint48"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"batches","outputs":[{"internalType":"uint64","name":"","type":"uint64"}],"stateMutability":"view","type":"function"},
] as const;

/** Creation code, without the constructor's arguments. */
export const ledgerBytecode =
  '0x60a0604052348015600e575f5ffd5b5060405161042a38038061042a833981016040819052602b91603b565b6001600160a01b03166080526066565b5f60208284031215604a575f5ffd5b81516001600160a01b0381168114605f575f5ffd5b9392505050565b6080516103a66100845f395f81816084015261013501526103a65ff3fe608060405234801561000f575f5ffd5b506004361061004a575f3560e01c806347489de41461004e57806355c4769d1461007f5780639591a610146100cb578063cfdf677e14610109575b5f5ffd5b61006161005c3660046102fb565b61011c565b60405167ffffffffffffffff90911681526020015b60405180910390f35b6100a67f000000000000000000000000000000000000000000000000000000000000000081565b60405173ffffffffffffffffffffffffffffffffffffffff9091168152602001610076565b6100f26100d9366004610331565b60016020525f908152604090205465ffffffffffff1681565b60405165ffffffffffff9091168152602001610076565b5f546100619067ffffffffffffffff1681565b5f3373ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001614610193576040517f91b212f20000000000000000000000000000000000000000000000000000000081523360048201526024015b60405180910390fd5b8215806101a4575063ffffffff8216155b156101db576040517fc2e5347d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f8381526001602052604090205465ffffffffffff161561022b576040517f30d238130000000000000000000000000000000000000000000000000000000081526004810184905260240161018a565b5f83815260016020526040812080547fffffffffffffffffffffffffffffffffffffffffffffffffffff000000000000164265ffffffffffff161790558054819061027f9067ffffffffffffffff16610348565b91906101000a81548167ffffffffffffffff021916908367ffffffffffffffff160217905590508067ffffffffffffffff16837f4a2bcbc71b326a54dde95c11b18deac102a4a655e463f5bc4d4af81be4cc1829846040516102ed919063ffffffff91909116815260200190565b60405180910390a392915050565b5f5f6040838503121561030c575f5ffd5b82359150602083013563ffffffff81168114610326575f5ffd5b809150509250929050565b5f60208284031215610341575f5ffd5b5035919050565b5f67ffffffffffffffff821667ffffffffffffffff8103610390577f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b6001019291505056fea164736f6c6343000825000a' as const;

/** The code on chain: its length, where the constructor writes into it, and its hash with those bytes zero. */
export const ledgerRuntime = {
  length: 934,
  immutables: [[132,32],[309,32]],
  codeHash: '0xb2b6c14aeb867fdd30c67e224e2a53007988b22b6ae3a2deac350ed9faf7282d',
} as const;
