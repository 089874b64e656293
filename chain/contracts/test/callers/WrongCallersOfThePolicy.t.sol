// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Mandates} from "../../Mandates.sol";
import {Settlement} from "../../Settlement.sol";
import {SpendPolicy} from "../../SpendPolicy.sol";
import {Roles} from "../../access/Roles.sol";
import {IAgentNFT} from "../../interfaces/IAgentNFT.sol";
import {ISpendPolicy} from "../../interfaces/ISpendPolicy.sol";
import {Cast} from "../Cast.sol";

/// @dev Every door of the policy, for everybody who may not pass it.
contract WrongCallersOfThePolicyTest is Cast {
    function setUp() public {
        setUpCast();
    }

    function test_nobody_else_sets_terms_keys_pauses_and_listings_of_a_wallets_agent() public {
        ownersDoorsHold(plain);
    }

    function test_nobody_else_sets_terms_keys_pauses_and_listings_of_an_agent_that_another_agent_holds() public {
        ownersDoorsHold(nested);
    }

    function ownersDoorsHold(Subject memory x) private {
        uint256 id = x.p.id;
        address to = address(policy);
        uint256 lot = assets.mint(address(x.p.account));
        list(x.p, address(assets), lot);
        bytes memory refusal = abi.encodeWithSelector(Mandates.NotOwner.selector, id, WHO);
        (address[] memory owner, address[] memory guarded) = (one(x.p.owner), list_(x.p.owner, GUARDIAN));
        bytes memory call = abi.encodeCall(policy.setMandate, (id, terms(BUY), caps(1), none(), none()));
        door("SpendPolicy.setMandate", to, call, refusal, owner);
        door("SpendPolicy.grantKey", to, abi.encodeCall(policy.grantKey, (id, SHOP, FAR)), refusal, owner);
        call = abi.encodeCall(policy.bindSettlement, (id, anotherSettlement()));
        door("SpendPolicy.bindSettlement", to, call, refusal, owner);
        call = abi.encodeCall(policy.list, (lotOf(x.p, address(assets), lot, 1)));
        door("SpendPolicy.list", to, call, refusal, owner);
        call = abi.encodeCall(policy.delist, (id, address(assets), lot));
        door("SpendPolicy.delist", to, call, refusal, guarded);
        door("SpendPolicy.setPaused", to, abi.encodeCall(policy.setPaused, (id, true)), refusal, guarded);
        call = abi.encodeCall(policy.revokeKey, (id, x.p.key));
        door("SpendPolicy.revokeKey", to, call, refusal, list_(x.p.owner, GUARDIAN, x.p.key));
    }

    /// @dev One that owners may bind their agents to.
    function anotherSettlement() private returns (address second) {
        second = address(new Settlement(IAgentNFT(nft), address(manager), TREASURY));
        policy.admitSettlement(second);
    }

    function test_only_the_admin_admits_a_settlement() public {
        bytes memory call = abi.encodeCall(policy.admitSettlement, (address(certificates)));
        door("SpendPolicy.admitSettlement", address(policy), call, lacks(Roles.ADMIN), one(address(this)));
    }

    function test_only_the_guardian_stops_all_and_ends_that() public {
        address to = address(policy);
        bytes memory call = abi.encodeCall(policy.pauseAll, (1 hours));
        door("SpendPolicy.pauseAll", to, call, lacks(Roles.GUARDIAN), one(GUARDIAN));
        vm.prank(GUARDIAN);
        policy.pauseAll(1 hours);
        door("SpendPolicy.resumeAll", to, abi.encodeCall(policy.resumeAll, ()), lacks(Roles.GUARDIAN), one(GUARDIAN));
    }

    function test_nobody_but_the_two_who_may_ends_a_pause_and_each_only_their_own() public {
        address to = address(policy);
        bytes memory call = abi.encodeCall(policy.setPaused, (plain.p.id, false));
        bytes memory refusal = abi.encodeWithSelector(Mandates.NotOwner.selector, plain.p.id, WHO);
        vm.prank(plain.p.owner);
        policy.setPaused(plain.p.id, true);
        door("SpendPolicy.setPaused", to, call, refusal, list_(plain.p.owner, GUARDIAN));
        // Whoever may be the guardian or the owner lifts what they set, and not what the other did.
        vm.prank(GUARDIAN);
        policy.setPaused(plain.p.id, false);
        require(policy.mandates(plain.p.id).pausedByOwner, "the owner's stands");
        vm.prank(GUARDIAN);
        policy.setPaused(plain.p.id, true);
        vm.prank(plain.p.owner);
        policy.setPaused(plain.p.id, false);
        Mandates.Mandate memory m = policy.mandates(plain.p.id);
        require(m.pausedByGuardian && !m.pausedByOwner, "the guardian's stands");
    }

    function test_nobody_lists_an_agent_that_is_anothers() public {
        bytes memory refusal = abi.encodeWithSelector(Mandates.NotOwner.selector, nested.p.id, plain.p.owner);
        vm.prank(plain.p.owner);
        vm.expectRevert(refusal);
        policy.list(lotOf(plain.p, address(nft), nested.p.id, 1));
        require(!policy.mandates(nested.p.id).pausedByOwner, "and does not stop its keys");
    }

    function test_only_the_deployer_binds() public {
        SpendPolicy fresh = new SpendPolicy(address(this), address(manager));
        door(
            "SpendPolicy.bind",
            address(fresh),
            abi.encodeCall(fresh.bind, (IAgentNFT(nft), address(settlement), address(certificates))),
            abi.encodeWithSelector(Mandates.NotDeployer.selector, WHO),
            one(address(this))
        );
        // Nor is anybody told more once it is bound, the contracts that it is bound to least of all.
        for (uint256 i; i < cast.length; ++i) {
            if (cast[i].who == address(this)) continue;
            vm.prank(cast[i].who);
            vm.expectRevert(abi.encodeWithSelector(Mandates.NotDeployer.selector, cast[i].who));
            policy.bind(IAgentNFT(nft), address(settlement), address(certificates));
        }
    }

    function test_only_the_agents_token_sets_first_terms_and_begins_epochs() public {
        bytes memory refusal = abi.encodeWithSelector(Mandates.NotAgentNFT.selector, WHO);
        bytes memory call = abi.encodeCall(
            policy.initialise, (999, SHOP, terms(BUY), caps(1), none(), none(), STRANGER, FAR)
        );
        door("SpendPolicy.initialise", address(policy), call, refusal, one(address(nft)));
        SpendPolicy fresh = new SpendPolicy(address(this), address(manager));
        fresh.bind(IAgentNFT(nft), address(settlement), address(certificates));
        Subject[2] memory both = [plain, nested];
        for (uint256 i; i < 2; ++i) {
            // Its keys try too, which must not give themselves a life of their own.
            call = abi.encodeCall(policy.beginEpoch, (both[i].p.id, address(both[i].p.account), 1));
            door("SpendPolicy.beginEpoch", address(policy), call, refusal, one(address(nft)));
            ISpendPolicy.TokenCap[] memory noCaps = new ISpendPolicy.TokenCap[](0);
            // An agent that comes over comes from the agents' token too: nobody takes it over, or winds it back.
            call = abi.encodeCall(fresh.adopt, (both[i].p.id, address(both[i].p.account), 1, policy));
            door("SpendPolicy.adopt", address(fresh), call, refusal, one(address(nft)));
            call = abi.encodeCall(
                policy.initialise, (both[i].p.id, SHOP, terms(BUY), noCaps, none(), none(), STRANGER, FAR)
            );
            door("SpendPolicy.initialise", address(policy), call, refusal, one(address(nft)));
        }
    }

    function test_nobody_but_an_agents_own_account_books_for_it() public {
        Subject[2] memory both = [plain, nested];
        for (uint256 i; i < 2; ++i) {
            booksHold(both[i]);
        }
    }

    function booksHold(Subject memory x) private {
        paymentsHold(x.p, list_(x.p.key, x.otherKey));
        purchasesHold(x.p);
        salesHold(x.p);
    }

    function notAccount(uint256 id) private pure returns (bytes memory) {
        return abi.encodeWithSelector(SpendPolicy.NotAccount.selector, id, WHO);
    }

    function paymentsHold(Party memory p, address[] memory keys) private {
        address account = address(p.account);
        bytes memory call = abi.encodeCall(policy.bookPayment, (p.id, p.key, address(usdc), SHOP, 1e6));
        door("SpendPolicy.bookPayment", address(policy), call, notAccount(p.id), one(account));
        call = abi.encodeCall(policy.bookPayment, (p.id, WHO, address(usdc), SHOP, 1e6));
        bytes memory refusal = abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, p.id, WHO);
        named("SpendPolicy.bookPayment", account, address(policy), call, refusal, keys);
    }

    function purchasesHold(Party memory p) private {
        address account = address(p.account);
        ISpendPolicy.Purchase memory bought = ISpendPolicy.Purchase(p.key, address(usdc), SHOP, 1e6, RWA);
        bytes memory call = abi.encodeCall(policy.bookPurchase, (p.id, address(settlement), bought));
        door("SpendPolicy.bookPurchase", address(policy), call, notAccount(p.id), one(account));
        call = abi.encodeCall(policy.bookPurchase, (p.id, WHO, bought));
        bytes memory refusal = abi.encodeWithSelector(SpendPolicy.NotSettlement.selector, WHO);
        named("SpendPolicy.bookPurchase", account, address(policy), call, refusal, one(address(settlement)));
    }

    function salesHold(Party memory p) private {
        address account = address(p.account);
        uint256 lot = assets.mint(account);
        list(p, address(assets), lot);
        ISpendPolicy.Sale memory sold =
            ISpendPolicy.Sale(p.key, address(assets), lot, SHOP, address(usdc), 1e6, RWA);
        bytes memory call = abi.encodeCall(policy.bookSale, (p.id, address(settlement), sold));
        door("SpendPolicy.bookSale", address(policy), call, notAccount(p.id), one(account));
        call = abi.encodeCall(policy.bookSale, (p.id, WHO, sold));
        bytes memory refusal = abi.encodeWithSelector(SpendPolicy.NotSettlement.selector, WHO);
        named("SpendPolicy.bookSale", account, address(policy), call, refusal, one(address(settlement)));
    }

    function test_an_account_uses_up_no_other_agents_caps() public {
        // Both are in their second epoch and under their first mandate: nothing but the number tells them apart.
        require(policy.stampOf(other.id) == policy.stampOf(plain.p.id), "alike");
        vm.prank(address(other.account));
        vm.expectRevert(
            abi.encodeWithSelector(SpendPolicy.NotAccount.selector, plain.p.id, address(other.account))
        );
        policy.bookPayment(plain.p.id, plain.p.key, address(usdc), SHOP, 500e6);
        require(policy.spentTotal(plain.p.id, address(usdc)) == 0, "nothing");
    }

    function test_a_pause_a_mandate_and_a_transfer_of_one_agent_leave_every_other_as_it_is() public {
        uint64 stamp = policy.stampOf(plain.p.id);
        bytes memory before = abi.encode(policy.mandates(plain.p.id));
        vm.startPrank(other.owner);
        policy.setPaused(other.id, true);
        policy.setMandate(other.id, terms(SELL), caps(1), none(), one(SHOP));
        nft.transferFrom(other.owner, STRANGER, other.id);
        vm.stopPrank();
        require(policy.stampOf(plain.p.id) == stamp, "epoch and version");
        require(keccak256(abi.encode(policy.mandates(plain.p.id))) == keccak256(before), "terms and pauses");
        require(policy.keyIsLive(plain.p.id, plain.p.key), "keys");
    }
}
