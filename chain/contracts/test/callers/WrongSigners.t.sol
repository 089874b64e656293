// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {AgentNFT} from "../../AgentNFT.sol";
import {Certificates} from "../../Certificates.sol";
import {Mandates} from "../../Mandates.sol";
import {Settlement} from "../../Settlement.sol";
import {SpendPolicy} from "../../SpendPolicy.sol";
import {AssetListings} from "../../AssetListings.sol";
import {IAgentNFT} from "../../interfaces/IAgentNFT.sol";
import {ISpendPolicy} from "../../interfaces/ISpendPolicy.sol";
import {Cast} from "../Cast.sol";

/**
 * @dev Every function that takes a signature, with the signature of everybody whose word must not count: right words,
 * wrong hand. For an agent that another agent holds nobody signs: its owner is an account, which vouches for payments
 * alone.
 */
contract WrongSignersTest is Cast {
    string private constant TERMS =
        "Terms(bytes32 mandateHash,uint48 validAfter,uint48 expiry,uint8 sides,bool allowlistOnly,uint256 categories)";
    string private constant TOKEN_CAP =
        "TokenCap(address token,uint128 perDeal,uint128 dayCap,uint128 weekCap,uint128 monthCap,uint128 totalCap,uint128 minPrice)";
    string private constant SET_MANDATE =
        "SetMandate(uint256 agentId,Terms terms,TokenCap[] caps,address[] allow,address[] deny,uint32 epoch,uint256 nonce,uint48 deadline)";

    function setUp() public {
        setUpCast();
    }

    function ofPolicy(bytes memory content) private view returns (bytes32) {
        return typed("SafeHandshakeSpendPolicy", "1", address(policy), content);
    }

    function signersOf(Subject memory x) private pure returns (address[] memory) {
        return x.p.ownerPk == 0 ? none() : one(x.p.owner);
    }

    function test_nobody_else_signs_for_the_owner_of_a_wallets_agent() public {
        policyTakesNoOther(plain);
    }

    function test_nobody_signs_for_an_agent_that_another_agent_holds() public {
        policyTakesNoOther(nested);
    }

    function test_the_owners_signature_counts_and_nobody_elses_while_everything_is_stopped() public {
        stopEverything(plain.p);
        policyTakesNoOther(plain);
    }

    function policyTakesNoOther(Subject memory x) private {
        keysAndPauses(x);
        bindings(x);
        mandate(x);
        listing(x);
    }

    function badOwner(Subject memory x) private pure returns (bytes memory) {
        return abi.encodeWithSelector(Mandates.BadOwnerSignature.selector, x.p.id);
    }

    function keysAndPauses(Subject memory x) private {
        uint256 id = x.p.id;
        bytes memory content = abi.encode(
            keccak256("GrantKey(uint256 agentId,address key,uint48 validUntil,uint32 epoch,uint256 nonce,uint48 deadline)"),
            id, SHOP, FAR, nft.epochOf(id), policy.nonces(id), FAR
        );
        bytes memory call = abi.encodeCall(policy.grantKeyBySig, (id, SHOP, FAR, FAR, signature()));
        signed("SpendPolicy.grantKeyBySig", address(policy), call, ofPolicy(content), badOwner(x), signersOf(x));
        content = abi.encode(
            keccak256("SetPaused(uint256 agentId,bool paused,uint32 epoch,uint256 nonce,uint48 deadline)"),
            id, true, nft.epochOf(id), policy.nonces(id), FAR
        );
        call = abi.encodeCall(policy.setPausedBySig, (id, true, FAR, signature()));
        signed("SpendPolicy.setPausedBySig", address(policy), call, ofPolicy(content), badOwner(x), signersOf(x));
    }

    function bindings(Subject memory x) private {
        uint256 id = x.p.id;
        Settlement second = new Settlement(IAgentNFT(nft), address(manager), TREASURY);
        policy.admitSettlement(address(second));
        bytes memory content = abi.encode(
            keccak256("BindSettlement(uint256 agentId,address settlement,uint32 epoch,uint256 nonce,uint48 deadline)"),
            id, second, nft.epochOf(id), policy.nonces(id), FAR
        );
        bytes memory call = abi.encodeCall(policy.bindSettlementBySig, (id, address(second), FAR, signature()));
        signed("SpendPolicy.bindSettlementBySig", address(policy), call, ofPolicy(content), badOwner(x), signersOf(x));
        SpendPolicy newer = new SpendPolicy(address(this), address(manager));
        newer.bind(IAgentNFT(nft), address(second), address(certificates));
        nft.admitPolicy(newer);
        content = abi.encode(
            keccak256("BindPolicy(uint256 agentId,address policy,uint32 epoch,uint256 nonce,uint48 deadline)"),
            id, newer, nft.epochOf(id), 0, FAR
        );
        call = abi.encodeCall(nft.bindPolicyBySig, (id, newer, FAR, signature()));
        bytes memory refusal = abi.encodeWithSelector(AgentNFT.BadBindingSignature.selector, id);
        bytes32 digest = typed("SafeHandshakeAgents", "1", address(nft), content);
        signed("AgentNFT.bindPolicyBySig", address(nft), call, digest, refusal, signersOf(x));
    }

    function mandate(Subject memory x) private {
        uint256 id = x.p.id;
        ISpendPolicy.TokenCap[] memory c = caps(1, 2, 3, 4, 5, 6);
        bytes memory content = abi.encode(
            keccak256(bytes(string.concat(SET_MANDATE, TERMS, TOKEN_CAP))),
            id,
            keccak256(abi.encode(keccak256(bytes(TERMS)), terms(BUY))),
            keccak256(abi.encodePacked(keccak256(abi.encode(keccak256(bytes(TOKEN_CAP)), c[0])))),
            keccak256("")
        );
        content = bytes.concat(content, abi.encode(keccak256(""), nft.epochOf(id), policy.nonces(id), FAR));
        bytes memory call =
            abi.encodeCall(policy.setMandateBySig, (id, terms(BUY), c, none(), none(), FAR, signature()));
        signed("SpendPolicy.setMandateBySig", address(policy), call, ofPolicy(content), badOwner(x), signersOf(x));
    }

    function listing(Subject memory x) private {
        AssetListings.Lot memory lot = lotOf(x.p, address(assets), assets.mint(address(x.p.account)), 1);
        bytes32 text = MessageHashUtils.toEthSignedMessageHash(bytes(policy.listingLine(lot, FAR)));
        bytes memory call = abi.encodeCall(policy.listByMessage, (lot, FAR, "", "", signature()));
        signed("SpendPolicy.listByMessage", address(policy), call, text, badOwner(x), signersOf(x));
    }

    function test_nobody_but_the_wallet_at_the_top_transfers_a_certificate_by_signature() public {
        Subject[2] memory both = [plain, nested];
        for (uint256 i; i < 2; ++i) {
            address account = address(both[i].p.account);
            vm.prank(ISSUER);
            uint256 id = certificates.issue(account, i == 0 ? "serial:vin:1" : "serial:vin:2", false);
            // Whoever may move it by a call does not sign for it.
            vm.prank(account);
            certificates.approve(APPROVED, id);
            signed(
                "Certificates.transferBySig", address(certificates),
                abi.encodeCall(certificates.transferBySig, (id, SHOP, FAR, signature())),
                transferDigest(id, account, SHOP, FAR),
                abi.encodeWithSelector(Certificates.BadTransferSignature.selector, id, both[i].controller),
                one(both[i].controller)
            );
        }
    }

    function dealBetween(Party memory seller, Party memory buyer) private returns (Settlement.Deal memory d) {
        (alice, bob) = (seller, buyer);
        d = deal(10e6);
    }

    function test_nobody_else_signs_for_a_key_of_the_seller_nor_of_the_buyer() public {
        Subject[2] memory both = [plain, nested];
        for (uint256 i; i < 2; ++i) {
            Party memory p = both[i].p;
            sellersSide(p, dealBetween(p, other));
            buyersSide(p, dealBetween(other, p));
        }
    }

    /// @dev Another's signature under the key's name, and then everybody in their own name.
    function sellersSide(Party memory p, Settlement.Deal memory d) private {
        (bytes32 digest, bytes32 asName) = (settlement.hashDeal(d), settlement.hashNameDeal(d));
        (bytes memory b, bytes memory n) = (sign(other.keyPk, digest), sign(other.keyPk, asName));
        address to = address(settlement);
        bytes memory bad = abi.encodeWithSelector(Settlement.BadDealSignature.selector, d.dealId, p.key);
        bytes memory call = abi.encodeCall(settlement.settle, (d, p.key, signature(), other.key, b));
        signed("Settlement.settle", to, call, digest, bad, one(p.key));
        call = abi.encodeCall(settlement.settleName, (d, p.key, signature(), other.key, n));
        signed("Settlement.settleName", to, call, asName, bad, one(p.key));
        call = abi.encodeCall(settlement.settle, (d, WHO, signature(), other.key, b));
        signed("Settlement.settle", to, call, digest, notLive(p), keysOf(p));
        call = abi.encodeCall(settlement.settleName, (d, WHO, signature(), other.key, n));
        signed("Settlement.settleName", to, call, asName, notLive(p), keysOf(p));
        manyRefuse(Settlement.Signed(d, false, p.key, "", other.key, b), true, p.key, digest);
    }

    function buyersSide(Party memory p, Settlement.Deal memory d) private {
        (bytes32 digest, bytes32 asName) = (settlement.hashDeal(d), settlement.hashNameDeal(d));
        (bytes memory s, bytes memory n) = (sign(other.keyPk, digest), sign(other.keyPk, asName));
        address to = address(settlement);
        bytes memory bad = abi.encodeWithSelector(Settlement.BadDealSignature.selector, d.dealId, p.key);
        bytes memory call = abi.encodeCall(settlement.settle, (d, other.key, s, p.key, signature()));
        signed("Settlement.settle", to, call, digest, bad, one(p.key));
        call = abi.encodeCall(settlement.settleName, (d, other.key, n, p.key, signature()));
        signed("Settlement.settleName", to, call, asName, bad, one(p.key));
        call = abi.encodeCall(settlement.settle, (d, other.key, s, WHO, signature()));
        signed("Settlement.settle", to, call, digest, notLive(p), keysOf(p));
        call = abi.encodeCall(settlement.settleName, (d, other.key, n, WHO, signature()));
        signed("Settlement.settleName", to, call, asName, notLive(p), keysOf(p));
        manyRefuse(Settlement.Signed(d, true, other.key, n, p.key, ""), false, p.key, asName);
    }

    function notLive(Party memory p) private pure returns (bytes memory) {
        return abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, p.id, WHO);
    }

    function keysOf(Party memory p) private view returns (address[] memory) {
        return list_(p.key, p.id == plain.p.id ? plain.otherKey : nested.otherKey);
    }

    /// @dev Of many, one that another has signed is left out; "Settlement.settleMany" itself goes through.
    function manyRefuse(Settlement.Signed memory x, bool sellers, address key, bytes32 digest) private {
        Settlement.Signed[] memory all = new Settlement.Signed[](1);
        for (uint256 i; i < cast.length; ++i) {
            if (cast[i].pk == 0) continue;
            if (sellers) x.sellerSignature = sign(cast[i].pk, digest);
            else x.buyerSignature = sign(cast[i].pk, digest);
            all[0] = x;
            uint256 before = vm.snapshotState();
            vm.prank(cast[i].who);
            bool[] memory settled = settlement.settleMany(all);
            require(settled[0] == (cast[i].who == key), cast[i].name);
            vm.revertToState(before);
        }
    }

    function test_nobody_but_the_key_that_booked_a_payment_vouches_for_it() public {
        Subject[2] memory both = [plain, nested];
        for (uint256 i; i < 2; ++i) {
            Party memory p = both[i].p;
            vm.prank(p.key);
            bytes32 digest = p.account.authorizePayment(address(usdc), SHOP, 1e6, 0, block.timestamp + 60, "n", "");
            for (uint256 j; j < cast.length; ++j) {
                if (cast[j].pk == 0) continue;
                bytes memory sig = sign(cast[j].pk, digest);
                bool underTheKeysName = p.account.isValidSignature(digest, abi.encodePacked(p.key, sig)) == 0x1626ba7e;
                bool inTheirOwn = p.account.isValidSignature(digest, abi.encodePacked(cast[j].who, sig)) == 0x1626ba7e;
                require(underTheKeysName == (cast[j].who == p.key), cast[j].name);
                require(inTheirOwn == (cast[j].who == p.key), cast[j].name);
            }
        }
    }

    function ofDollar(bytes memory content) private view returns (bytes32) {
        return typed("USDC", "2", address(usdc), content);
    }

    /// @dev A call whose arguments stand in one word each, with v, r and s at its end.
    function byParts(string memory name, bytes memory words) private pure returns (bytes memory) {
        return bytes.concat(bytes4(keccak256(bytes(name))), words, abi.encode(V, R, S));
    }

    function test_nobody_else_signs_dollars_away() public {
        address from = plain.p.owner;
        usdc.mint(from, 1);
        paymentsTakeNoOther(from, address(usdc), error("FiatTokenV2: invalid signature"));
        allowancesTakeNoOther(from, address(usdc), error("EIP2612: invalid signature"));
    }

    function paymentsTakeNoOther(address from, address to, bytes memory bad) private {
        bytes memory words = abi.encode(from, SHOP, 1, 0, FAR, bytes32("n"));
        bytes32 digest = ofDollar(bytes.concat(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), words));
        bytes memory call = abi.encodeWithSignature(
            "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)",
            from, SHOP, 1, 0, FAR, bytes32("n"), signature()
        );
        signed("TestUSDC.transferWithAuthorization/7", to, call, digest, bad, one(from));
        call = byParts(
            "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)", words
        );
        signed("TestUSDC.transferWithAuthorization/9", to, call, digest, bad, one(from));
        digest = ofDollar(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), from, bytes32("n")));
        call = abi.encodeWithSignature("cancelAuthorization(address,bytes32,bytes)", from, bytes32("n"), signature());
        signed("TestUSDC.cancelAuthorization/3", to, call, digest, bad, one(from));
        call = byParts(
            "cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)", abi.encode(from, bytes32("n"))
        );
        signed("TestUSDC.cancelAuthorization/5", to, call, digest, bad, one(from));
    }

    function allowancesTakeNoOther(address from, address to, bytes memory bad) private {
        bytes32 digest = ofDollar(abi.encode(usdc.PERMIT_TYPEHASH(), from, SHOP, 1, 0, FAR));
        bytes memory call = abi.encodeWithSignature(
            "permit(address,address,uint256,uint256,bytes)", from, SHOP, 1, FAR, signature()
        );
        signed("TestUSDC.permit/5", to, call, digest, bad, one(from));
        call = byParts(
            "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)", abi.encode(from, SHOP, 1, FAR)
        );
        signed("TestUSDC.permit/7", to, call, digest, bad, one(from));
    }
}
