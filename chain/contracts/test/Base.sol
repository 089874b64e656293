// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AgentAccount} from "../AgentAccount.sol";
import {AgentNFT} from "../AgentNFT.sol";
import {AssetListings} from "../AssetListings.sol";
import {Certificates} from "../Certificates.sol";
import {DemoAssets} from "../DemoAssets.sol";
import {FeeVault} from "../FeeVault.sol";
import {Settlement} from "../Settlement.sol";
import {SpendPolicy} from "../SpendPolicy.sol";
import {TestUSDC} from "../TestUSDC.sol";
import {DelayedAccessManager} from "../access/DelayedAccessManager.sol";
import {IAgentNFT} from "../interfaces/IAgentNFT.sol";
import {ISpendPolicy} from "../interfaces/ISpendPolicy.sol";
import {Vm} from "./Vm.sol";

/// @dev The whole set of contracts, deployed as on a chain, and two agents: Alice's sells, Bob's buys.
abstract contract Base {
    struct Party {
        address owner;
        uint256 ownerPk;
        address key;
        uint256 keyPk;
        uint256 id;
        AgentAccount account;
    }

    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    address internal constant CREATE2_FACTORY = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
    address internal constant GUARDIAN = 0x417f3b59eF57C641283C2300fae0f27fe98D518C; // of the key 0x6A
    address internal constant TREASURER = 0x64bc0999D7AA50aDAed3fF9D03F7963b3957b7D9; // of the key 0x7EA
    /// @dev Where the vault of the fees stands.
    address internal constant TREASURY = address(0x7EA);
    address internal constant SHOP = address(0x5409);
    uint48 internal constant START = 1_760_000_000; // 2025-10-09 08:53:20 UTC
    uint48 internal constant FAR = START + 3650 days;
    uint8 internal constant BUY = 1;
    uint8 internal constant SELL = 2;
    uint8 internal constant RWA = 5; // real-world-assets
    bytes internal constant REGISTRY_DEPLOYMENT =
        hex"0000000000000000000000000000000000000000fd8eb4e1dca713016c518e31608060405234801561001057600080fd5b5061023b806100206000396000f3fe608060405234801561001057600080fd5b50600436106100365760003560e01c8063246a00211461003b5780638a54c52f1461006a575b600080fd5b61004e6100493660046101b7565b61007d565b6040516001600160a01b03909116815260200160405180910390f35b61004e6100783660046101b7565b6100e1565b600060806024608c376e5af43d82803e903d91602b57fd5bf3606c5285605d52733d60ad80600a3d3981f3363d3d373d3d3d363d7360495260ff60005360b76055206035523060601b60015284601552605560002060601b60601c60005260206000f35b600060806024608c376e5af43d82803e903d91602b57fd5bf3606c5285605d52733d60ad80600a3d3981f3363d3d373d3d3d363d7360495260ff60005360b76055206035523060601b600152846015526055600020803b61018b578560b760556000f580610157576320188a596000526004601cfd5b80606c52508284887f79f19b3655ee38b1ce526556b7731a20c8f218fbda4a3990b6cc4172fdf887226060606ca46020606cf35b8060601b60601c60005260206000f35b80356001600160a01b03811681146101b257600080fd5b919050565b600080600080600060a086880312156101cf57600080fd5b6101d88661019b565b945060208601359350604086013592506101f46060870161019b565b94979396509194608001359291505056fea2646970667358221220ea2fe53af507453c64dd7c1db05549fa47a298dfb825d6d11e1689856135f16764736f6c63430008110033";

    DelayedAccessManager internal manager;
    AgentNFT internal nft;
    AgentAccount internal implementation;
    SpendPolicy internal policy;
    Settlement internal settlement;
    TestUSDC internal usdc;
    DemoAssets internal assets;
    Certificates internal certificates;
    Party internal alice;
    Party internal bob;
    uint256 private _payments;

    function deploy() internal {
        vm.warp(START);
        vm.etch(
            CREATE2_FACTORY,
            hex"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3"
        );
        if (0x000000006551c19487814612e58FE06813775758.code.length == 0) {
            (bool success,) = CREATE2_FACTORY.call(REGISTRY_DEPLOYMENT);
            require(success, "registry");
        }
        usdc = new TestUSDC(address(this));
        assets = new DemoAssets();
        manager = new DelayedAccessManager(
            address(this),
            2 days,
            DelayedAccessManager.Holders(address(this), address(this), address(this), GUARDIAN, TREASURER)
        );
        policy = new SpendPolicy(address(this), address(manager));
        implementation = new AgentAccount(policy);
        nft = new AgentNFT(address(manager), address(implementation), policy);
        vm.etch(TREASURY, address(new FeeVault(address(manager))).code);
        settlement = new Settlement(IAgentNFT(nft), address(manager), TREASURY);
        certificates = new Certificates(address(manager), IAgentNFT(nft), address(settlement));
        policy.bind(IAgentNFT(nft), address(settlement), address(certificates));
        nft.setBaseURI("https://safehandshake.test/metadata/1002/");
    }

    /// @dev A manager by which one address holds every role.
    function allTo(address holder) internal returns (address) {
        return address(
            new DelayedAccessManager(
                address(this), 2 days, DelayedAccessManager.Holders(holder, holder, holder, holder, holder)
            )
        );
    }

    function deployWithParties() internal {
        deploy();
        alice = party(0xA11CE, terms(BUY | SELL), caps(500e6));
        bob = party(0xB0B, terms(BUY | SELL), caps(500e6));
    }

    /// @dev An agent of a new owner, with a key, minted as a paid checkout would and given 1,000 USDC.
    function party(uint256 seed, ISpendPolicy.Terms memory t, ISpendPolicy.TokenCap[] memory c)
        internal
        returns (Party memory p)
    {
        p.ownerPk = seed;
        p.owner = vm.addr(seed);
        p.keyPk = uint256(keccak256(abi.encode("key", seed)));
        p.key = vm.addr(p.keyPk);
        address account;
        (p.id, account) = nft.mint(order(p.owner, p.key, t, c));
        p.account = AgentAccount(payable(account));
        usdc.mint(account, 1_000e6);
    }

    function order(address to, address key, ISpendPolicy.Terms memory t, ISpendPolicy.TokenCap[] memory c)
        internal
        returns (AgentNFT.MintOrder memory)
    {
        return AgentNFT.MintOrder({
            to: to,
            tier: AgentNFT.Tier.AGENT,
            paymentRef: keccak256(abi.encode("payment", ++_payments)),
            key: key,
            keyValidUntil: START + 365 days,
            uri: "",
            terms: t,
            caps: c,
            allow: none(),
            deny: none()
        });
    }

    function terms(uint8 sides) internal pure returns (ISpendPolicy.Terms memory) {
        return ISpendPolicy.Terms(keccak256("mandate"), 0, FAR, sides, false, 0);
    }

    function caps(uint128 perDeal) internal view returns (ISpendPolicy.TokenCap[] memory) {
        return caps(perDeal, 0, 0, 0, 0, 0);
    }

    function caps(uint128 perDeal, uint128 day, uint128 week, uint128 month, uint128 total, uint128 minPrice)
        internal
        view
        returns (ISpendPolicy.TokenCap[] memory c)
    {
        c = new ISpendPolicy.TokenCap[](1);
        c[0] = ISpendPolicy.TokenCap(address(usdc), perDeal, day, week, month, total, minPrice);
    }

    function setMandate(Party memory p, ISpendPolicy.Terms memory t, ISpendPolicy.TokenCap[] memory c) internal {
        vm.prank(p.owner);
        policy.setMandate(p.id, t, c, none(), none());
    }

    function spend(Party memory p, uint256 amount) internal {
        vm.prank(p.key);
        p.account.spend(address(usdc), SHOP, amount, "ref");
    }

    function none() internal pure returns (address[] memory) {
        return new address[](0);
    }

    function one(address a) internal pure returns (address[] memory list) {
        list = new address[](1);
        list[0] = a;
    }

    /// @dev A deal over a fresh asset that lies in Alice's account.
    function deal(uint128 price) internal returns (Settlement.Deal memory) {
        uint256 tokenId = assets.mint(address(alice.account));
        return dealOver(address(assets), tokenId, price);
    }

    function list(Party memory p, address asset, uint256 tokenId) internal {
        address owner = nft.ownerOf(p.id);
        vm.prank(owner);
        policy.list(lotOf(p, asset, tokenId, 1));
    }

    /// @dev The agent's owner grants a key that it never had.
    function rekey(Party memory p) internal returns (Party memory) {
        p.keyPk = uint256(keccak256(abi.encode("fresh", p.keyPk)));
        p.key = vm.addr(p.keyPk);
        address owner = nft.ownerOf(p.id);
        vm.prank(owner);
        policy.grantKey(p.id, p.key, FAR);
        return p;
    }

    /// @dev The owner of an agent has another come into its account, as that one's holder allows.
    function enter(Party memory guest, Party memory host) internal {
        address holder = nft.ownerOf(guest.id);
        address owner = nft.ownerOf(host.id);
        vm.prank(holder);
        nft.approve(owner, guest.id);
        vm.prank(owner);
        nft.transferFrom(holder, address(host.account), guest.id);
    }

    /// @dev The number that the next mint of {order} will have.
    function nextId() internal view returns (uint256) {
        return nft.idOf(keccak256(abi.encode("payment", _payments + 1)));
    }

    function lotOf(Party memory p, address asset, uint256 tokenId, uint128 minPrice)
        internal
        view
        returns (AssetListings.Lot memory)
    {
        return AssetListings.Lot(p.id, asset, tokenId, address(usdc), minPrice);
    }

    /// @dev The deal in another token, for which the owner lists its asset anew.
    function resell(Settlement.Deal memory d, address token) internal {
        d.token = token;
        AssetListings.Lot memory lot = lotOf(alice, d.asset, d.tokenId, 1);
        lot.token = token;
        address owner = nft.ownerOf(alice.id);
        vm.prank(owner);
        policy.list(lot);
    }

    function isListed(uint256 agentId, address asset, uint256 tokenId) internal view returns (bool) {
        return policy.offerOf(agentId, asset, tokenId).token != address(0);
    }

    /// @dev The digest of a certificate's transfer.
    function transferDigest(uint256 tokenId, address from, address to, uint256 deadline)
        internal
        view
        returns (bytes32)
    {
        bytes32 content = keccak256(
            abi.encode(
                keccak256("Transfer(uint256 tokenId,address from,address to,uint256 nonce,uint256 deadline)"),
                tokenId,
                from,
                to,
                certificates.nonces(tokenId),
                deadline
            )
        );
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("SafeHandshakeCertificates"),
                keccak256("1"),
                block.chainid,
                address(certificates)
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, content));
    }

    /// @dev A deal over an asset that Alice's owner has listed.
    function dealOver(address asset, uint256 tokenId, uint128 price) internal returns (Settlement.Deal memory) {
        list(alice, asset, tokenId);
        return Settlement.Deal({
            dealId: keccak256(abi.encode(asset, tokenId, price)),
            seller: address(alice.account),
            buyer: address(bob.account),
            asset: asset,
            tokenId: tokenId,
            token: address(usdc),
            price: price,
            category: RWA,
            deadline: uint48(block.timestamp + 600),
            state: 0
        });
    }

    function settle(Settlement.Deal memory d) internal {
        (bytes memory s, bytes memory b) = signatures(d);
        settlement.settle(d, alice.key, s, bob.key, b);
    }

    /// @dev Expects the settlement to refuse with exactly this.
    function settleRefused(Settlement.Deal memory d, bytes memory refusal) internal {
        (bytes memory s, bytes memory b) = signatures(d);
        vm.expectRevert(refusal);
        settlement.settle(d, alice.key, s, bob.key, b);
    }

    function signatures(Settlement.Deal memory d) internal view returns (bytes memory s, bytes memory b) {
        bytes32 digest = settlement.hashDeal(d);
        return (sign(alice.keyPk, digest), sign(bob.keyPk, digest));
    }

    function sign(uint256 pk, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(pk, digest);
        return abi.encodePacked(r, s, v);
    }
}
