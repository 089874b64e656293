// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AgentAccount} from "../../AgentAccount.sol";
import {Mandates} from "../../Mandates.sol";
import {Settlement} from "../../Settlement.sol";
import {SpendPolicy} from "../../SpendPolicy.sol";
import {ISpendPolicy} from "../../interfaces/ISpendPolicy.sol";
import {Base} from "../Base.sol";

/// @dev An agent is sold as it was quoted: with all that lay in it, or not at all.
contract QuotesTest is Base {
    string private constant VIN = "serial:vin:1HGCM82633A004352";
    Party private carol;

    function setUp() public {
        deployWithParties();
        // Carol's agent lies in Alice's account, to be sold by her agent.
        carol = party(0xCA401, terms(BUY), caps(500e6));
        enter(carol, alice);
    }

    function byAlice(address to, bytes memory data) private {
        vm.prank(alice.owner);
        alice.account.execute(to, 0, data, 0);
    }

    /// @dev Listed first, quoted then.
    function quoted(uint128 price) private returns (Settlement.Deal memory d) {
        d = dealOver(address(nft), carol.id, price);
        d.state = carol.account.state();
    }

    function moved(Settlement.Deal memory d) private {
        uint256 state = carol.account.state();
        require(state != d.state, "the state moved");
        settleRefused(d, abi.encodeWithSelector(Settlement.AgentMoved.selector, carol.id, d.state, state));
        require(nft.ownerOf(carol.id) == address(alice.account), "not sold");
    }

    function test_an_agent_is_sold_with_all_that_was_quoted() public {
        Settlement.Deal memory d = quoted(400e6);
        settle(d);
        require(nft.ownerOf(carol.id) == address(bob.account), "sold");
        require(usdc.balanceOf(address(carol.account)) == 1_000e6, "full");
    }

    function test_an_agent_that_was_emptied_after_the_quote_is_not_sold() public {
        Settlement.Deal memory d = quoted(400e6);
        bytes memory take = abi.encodeCall(usdc.transfer, (alice.owner, 1_000e6));
        byAlice(address(carol.account), abi.encodeCall(carol.account.execute, (address(usdc), 0, take, 0)));
        moved(d);
    }

    function test_listing_an_agent_stops_its_keys_so_that_its_own_payments_break_no_quote() public {
        byAlice(address(policy), abi.encodeCall(policy.grantKey, (carol.id, address(0xCE), FAR)));
        Settlement.Deal memory d = quoted(400e6);
        require(policy.mandates(carol.id).pausedByOwner, "paused");
        vm.prank(address(0xCE));
        vm.expectRevert(abi.encodeWithSelector(SpendPolicy.AgentPaused.selector, carol.id));
        carol.account.spend(address(usdc), SHOP, 1e6, "");
        settle(d);
        require(!policy.mandates(carol.id).pausedByOwner, "the seller's pause ends with the sale");
    }

    function test_a_pause_of_the_guardian_outlasts_the_sale() public {
        vm.prank(GUARDIAN);
        policy.setPaused(carol.id, true);
        settle(quoted(400e6));
        require(policy.mandates(carol.id).pausedByGuardian, "stays");
    }

    function test_bookings_are_drained_before_an_agent_is_quoted() public {
        byAlice(address(policy), abi.encodeCall(policy.grantKey, (carol.id, address(0xCE), FAR)));
        vm.prank(address(0xCE));
        carol.account.authorizePayment(address(usdc), SHOP, 500e6, 0, START + 600, "n", "");
        Settlement.Deal memory d = dealOver(address(nft), carol.id, 400e6);
        d.deadline = START + 700;
        settleRefused(d, abi.encodeWithSelector(AgentAccount.BookingsOpen.selector, START + 600));
        vm.warp(START + 600);
        d.state = carol.account.state();
        settle(d);
    }

    function test_a_certificate_that_leaves_by_signature_moves_the_state() public {
        uint256 id = certificates.issue(address(carol.account), VIN, false);
        Settlement.Deal memory d = quoted(400e6);
        bytes32 digest = transferDigest(id, address(carol.account), alice.owner, block.timestamp);
        certificates.transferBySig(id, alice.owner, block.timestamp, sign(alice.ownerPk, digest));
        moved(d);
    }

    function test_a_certificate_that_is_retired_or_void_moves_the_state() public {
        uint256 first = certificates.issue(address(carol.account), VIN, false);
        uint256 second = certificates.issue(address(carol.account), "serial:imei:490154203237518", false);
        Settlement.Deal memory d = quoted(400e6);
        vm.prank(alice.owner);
        certificates.retire(first, "");
        moved(d);
        d.state = carol.account.state();
        certificates.retire(second, "reported stolen");
        moved(d);
    }

    function test_a_certificate_that_comes_moves_nothing() public {
        uint256 state = carol.account.state();
        certificates.issue(address(carol.account), VIN, false);
        require(carol.account.state() == state, "more is no less");
    }

    function test_an_account_that_holds_agents_is_quoted_to_nobody() public {
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.AgentsHeld.selector, 1));
        alice.account.state();
        Settlement.Deal memory d = quoted(400e6);
        settle(d);
        require(alice.account.state() != 0, "once it is gone");
        vm.expectRevert(abi.encodeWithSelector(AgentAccount.AgentsHeld.selector, 1));
        bob.account.state();
    }

    function test_an_account_whose_agent_is_elsewhere_is_quoted_by_its_acts_alone() public {
        uint256 certificate = certificates.issue(address(alice.account), VIN, false);
        vm.prank(alice.owner);
        certificates.retire(certificate, "");
        spend(alice, 1e6);
        // The agents' token of another chain knows neither the agents that it holds nor what left it.
        vm.chainId(block.chainid + 1);
        require(alice.account.state() == 1, "acts alone");
        address nowhere = nft.REGISTRY().createAccount(address(implementation), 0, block.chainid, address(0xE0A), 1);
        require(AgentAccount(payable(nowhere)).state() == 0, "no contract");
    }

    function test_nobody_lists_an_agent_that_is_anothers() public {
        vm.prank(alice.owner);
        vm.expectRevert(abi.encodeWithSelector(Mandates.NotOwner.selector, bob.id, alice.owner));
        policy.list(lotOf(alice, address(nft), bob.id, 1));
        require(!policy.mandates(bob.id).pausedByOwner, "nor pauses it");
    }

    function test_only_an_agent_has_a_state_to_quote() public {
        Settlement.Deal memory d = deal(100e6);
        d.state = 1;
        settleRefused(d, abi.encodeWithSelector(Settlement.StateNotQuotable.selector, address(assets)));
    }

    function test_a_state_that_was_signed_cannot_be_exchanged() public {
        Settlement.Deal memory d = quoted(400e6);
        (bytes memory s, bytes memory b) = signatures(d);
        bytes memory take = abi.encodeCall(usdc.transfer, (alice.owner, 1_000e6));
        byAlice(address(carol.account), abi.encodeCall(carol.account.execute, (address(usdc), 0, take, 0)));
        d.state = carol.account.state();
        vm.expectRevert(abi.encodeWithSelector(Settlement.BadDealSignature.selector, d.dealId, alice.key));
        settlement.settle(d, alice.key, s, bob.key, b);
    }
}
