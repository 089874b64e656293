// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {AgentAccount} from "../../AgentAccount.sol";
import {AgentNFT} from "../../AgentNFT.sol";
import {AssetListings} from "../../AssetListings.sol";
import {Certificates} from "../../Certificates.sol";
import {Mandates} from "../../Mandates.sol";
import {Settlement} from "../../Settlement.sol";
import {SpendPolicy} from "../../SpendPolicy.sol";
import {IAgentNFT} from "../../interfaces/IAgentNFT.sol";
import {ISpendPolicy} from "../../interfaces/ISpendPolicy.sol";
import {Base} from "../Base.sol";

/**
 * @dev The rehearsal of the migration that docs/deployment.md writes down: a second settlement, then a second policy,
 * among agents that trade. Some owners bind their agents to the new ones, others stay.
 */
contract RebindingTest is Base {
    Settlement private second;
    SpendPolicy private newer;
    Party private carol; // stays where she is
    Party private dave; // stays where he is

    function setUp() public {
        deployWithParties();
        carol = party(0xCA401, terms(BUY | SELL), caps(500e6));
        dave = party(0xDA7E, terms(BUY | SELL), caps(500e6));
        second = new Settlement(IAgentNFT(nft), address(manager), TREASURY);
        newer = new SpendPolicy(address(this), address(manager));
        newer.bind(IAgentNFT(nft), address(second), address(certificates));
    }

    // Acts

    function words(string memory name, string memory version, address place) private view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                block.chainid,
                place
            )
        );
    }

    /// @dev What an owner signs to bind an agent to a settlement, built from the EIP-712 text alone.
    function settlementDigest(SpendPolicy under, Party memory p, address to, uint48 deadline)
        private
        view
        returns (bytes32)
    {
        bytes32 content = keccak256(
            abi.encode(
                keccak256("BindSettlement(uint256 agentId,address settlement,uint32 epoch,uint256 nonce,uint48 deadline)"),
                p.id,
                to,
                nft.epochOf(p.id),
                under.nonces(p.id),
                deadline
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", words("SafeHandshakeSpendPolicy", "1", address(under)), content));
    }

    /// @dev What an owner signs to bind an agent to a policy.
    function policyDigest(Party memory p, address to, uint48 deadline) private view returns (bytes32) {
        bytes32 content = keccak256(
            abi.encode(
                keccak256("BindPolicy(uint256 agentId,address policy,uint32 epoch,uint256 nonce,uint48 deadline)"),
                p.id,
                to,
                nft.epochOf(p.id),
                nft.bindingsOf(p.id),
                deadline
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", words("SafeHandshakeAgents", "1", address(nft)), content));
    }

    function rebind(Party memory p, Settlement to) private {
        policy.bindSettlementBySig(p.id, address(to), FAR, sign(p.ownerPk, settlementDigest(policy, p, address(to), FAR)));
    }

    function moveOver(Party memory p) private {
        nft.bindPolicyBySig(p.id, newer, FAR, sign(p.ownerPk, policyDigest(p, address(newer), FAR)));
    }

    /// @dev The owner's word under the new policy: a mandate and a key.
    function approveAnew(Party memory p, ISpendPolicy.TokenCap[] memory c) private returns (Party memory) {
        p.keyPk = uint256(keccak256(abi.encode("fresh", p.keyPk)));
        p.key = vm.addr(p.keyPk);
        vm.startPrank(p.owner);
        newer.setMandate(p.id, terms(BUY | SELL), c, none(), none());
        newer.grantKey(p.id, p.key, FAR);
        vm.stopPrank();
        return p;
    }

    function between(Party memory seller, Party memory buyer, uint256 tokenId)
        private
        view
        returns (Settlement.Deal memory)
    {
        return Settlement.Deal({
            dealId: keccak256(abi.encode(tokenId)),
            seller: address(seller.account),
            buyer: address(buyer.account),
            asset: address(assets),
            tokenId: tokenId,
            token: address(usdc),
            price: 10e6,
            category: RWA,
            deadline: FAR,
            state: 0
        });
    }

    function settleBy(Settlement by, Party memory seller, Party memory buyer, Settlement.Deal memory d, bytes memory no)
        private
    {
        bytes32 digest = by.hashDeal(d);
        (bytes memory s, bytes memory b) = (sign(seller.keyPk, digest), sign(buyer.keyPk, digest));
        if (no.length != 0) vm.expectRevert(no);
        by.settle(d, seller.key, s, buyer.key, b);
    }

    function listed(Party memory p) private returns (uint256 tokenId) {
        tokenId = assets.mint(address(p.account));
        list(p, address(assets), tokenId);
    }

    // Another settlement

    function test_a_second_settlement_takes_over_the_agents_whose_owners_say_so_and_no_other() public {
        policy.admitSettlement(address(second));
        (uint256 resting, uint256 carols) = (listed(alice), listed(carol));
        rebind(alice, second);
        rebind(bob, second);

        // The former settlement moves nothing of theirs, with whatever was signed for it.
        Settlement.Deal memory d = between(alice, bob, resting);
        bytes memory no = abi.encodeWithSelector(SpendPolicy.NotSettlement.selector, address(settlement));
        settleBy(settlement, alice, bob, d, no);
        // The listing that rested there is none here.
        no = abi.encodeWithSelector(AssetListings.AssetNotListed.selector, alice.id, address(assets), resting);
        settleBy(second, alice, bob, d, no);
        require(!isListed(alice.id, address(assets), resting), "and is told so");
        // Listed anew, the deal settles, once in all.
        list(alice, address(assets), resting);
        settleBy(second, alice, bob, d, "");
        require(assets.ownerOf(resting) == address(bob.account), "sold");

        // The others go on where they are, and are not pulled along.
        settleBy(settlement, carol, dave, between(carol, dave, carols), "");
        uint256 more = listed(carol);
        no = abi.encodeWithSelector(SpendPolicy.NotSettlement.selector, address(second));
        settleBy(second, carol, dave, between(carol, dave, more), no);
        // Nor do the two kinds meet, by either settlement.
        settleBy(second, carol, bob, between(carol, bob, more), no);
        no = abi.encodeWithSelector(SpendPolicy.NotSettlement.selector, address(settlement));
        settleBy(settlement, carol, bob, between(carol, bob, more), no);
    }

    function test_windows_go_on_when_the_settlement_changes() public {
        setMandate(bob, terms(BUY), caps(50e6, 60e6, 0, 0, 0, 0));
        spend(bob, 50e6);
        policy.admitSettlement(address(second));
        rebind(alice, second);
        rebind(bob, second);
        uint256 tokenId = listed(alice);
        settleBy(second, alice, bob, between(alice, bob, tokenId), "");
        tokenId = listed(alice);
        bytes memory no =
            abi.encodeWithSelector(SpendPolicy.DayCapExceeded.selector, bob.id, address(usdc), 10e6, 60e6, 60e6);
        settleBy(second, alice, bob, between(alice, bob, tokenId), no);
    }

    function test_a_settlement_is_bound_by_the_current_owner_alone() public {
        policy.admitSettlement(address(second));
        address to = address(second);
        address[5] memory strangers = [bob.key, alice.owner, GUARDIAN, address(this), to];
        for (uint256 i; i < strangers.length; ++i) {
            vm.prank(strangers[i]);
            vm.expectRevert(abi.encodeWithSelector(Mandates.NotOwner.selector, bob.id, strangers[i]));
            policy.bindSettlement(bob.id, to);
        }
        bytes memory bad = abi.encodeWithSelector(Mandates.BadOwnerSignature.selector, bob.id);
        bytes memory words_ = sign(bob.keyPk, settlementDigest(policy, bob, to, FAR));
        vm.expectRevert(bad);
        policy.bindSettlementBySig(bob.id, to, FAR, words_);
        words_ = sign(bob.ownerPk, settlementDigest(policy, bob, to, FAR));
        vm.expectRevert(bad);
        policy.bindSettlementBySig(bob.id, address(this), FAR, words_);
        // A former owner's words count no more.
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, alice.owner, bob.id);
        vm.expectRevert(bad);
        policy.bindSettlementBySig(bob.id, to, FAR, words_);
        vm.prank(alice.owner);
        policy.bindSettlement(bob.id, to);
        require(policy.settlementOf(bob.id).settlement == to && policy.settlement() == address(settlement), "his alone");
    }

    function test_only_an_admitted_settlement_is_bound_and_the_first_one_is_come_back_to() public {
        address to = address(second);
        bytes memory no = abi.encodeWithSelector(Mandates.SettlementNotAdmitted.selector, to);
        vm.startPrank(bob.owner);
        vm.expectRevert(no);
        policy.bindSettlement(bob.id, to);
        vm.expectRevert(abi.encodeWithSignature("NotInRole(uint64,address)", 0, bob.owner));
        policy.admitSettlement(to);
        vm.stopPrank();
        policy.admitSettlement(to);
        vm.startPrank(bob.owner);
        policy.bindSettlement(bob.id, to);
        vm.expectRevert(no);
        policy.bindSettlement(bob.id, to);
        policy.bindSettlement(bob.id, address(settlement));
        vm.stopPrank();
        require(policy.settlementOf(bob.id).count == 2, "twice");
    }

    function test_a_listing_does_not_come_back_with_the_settlement_it_was_made_for() public {
        policy.admitSettlement(address(second));
        uint256 tokenId = listed(alice);
        AssetListings.Lot memory lot = lotOf(alice, address(assets), tokenId, 1);
        string memory line = policy.listingLine(lot, FAR);
        vm.startPrank(alice.owner);
        policy.bindSettlement(alice.id, address(second));
        string memory under = policy.listingLine(lot, FAR);
        require(keccak256(bytes(line)) != keccak256(bytes(under)), "other words");
        string memory without = vm.replace(under, ", epoch 1, binding 1, change 0, until ", "");
        require(bytes(without).length != bytes(under).length, "which name the binding behind the epoch");
        policy.bindSettlement(alice.id, address(settlement));
        vm.stopPrank();
        require(!isListed(alice.id, address(assets), tokenId), "listed no more");
        bytes memory no =
            abi.encodeWithSelector(AssetListings.AssetNotListed.selector, alice.id, address(assets), tokenId);
        settleBy(settlement, alice, bob, between(alice, bob, tokenId), no);
    }

    // Another policy

    function test_an_agent_that_comes_over_does_nothing_until_its_owner_approves_anew() public {
        nft.admitPolicy(newer);
        uint256 resting = listed(alice);
        moveOver(alice);
        moveOver(bob);
        require(address(alice.account.policy()) == address(newer), "turned");

        vm.prank(bob.key);
        vm.expectRevert(abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, bob.id, bob.key));
        bob.account.spend(address(usdc), SHOP, 1e6, "ref");
        Settlement.Deal memory d = between(alice, bob, resting);
        settleBy(
            second, alice, bob, d, abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, alice.id, alice.key)
        );
        settleBy(
            settlement, alice, bob, d, abi.encodeWithSelector(SpendPolicy.NotSettlement.selector, address(settlement))
        );
        alice = approveAnew(alice, caps(500e6));
        bob = approveAnew(bob, caps(500e6));
        // The listing was the former policy's.
        bytes memory no =
            abi.encodeWithSelector(AssetListings.AssetNotListed.selector, alice.id, address(assets), resting);
        settleBy(second, alice, bob, d, no);
        vm.prank(alice.owner);
        newer.list(lotOf(alice, address(assets), resting, 1));
        settleBy(second, alice, bob, d, "");
        require(assets.ownerOf(resting) == address(bob.account), "sold");
        // Those who stayed go on.
        uint256 carols = listed(carol);
        settleBy(settlement, carol, dave, between(carol, dave, carols), "");
        spend(dave, 1e6);
    }

    function test_a_text_signed_for_one_policy_lists_nothing_under_another() public {
        // Everything else is the same: agent, epoch, settlement, token, asset, minimum and the number of changes.
        SpendPolicy twin = new SpendPolicy(address(this), address(manager));
        twin.bind(IAgentNFT(nft), address(settlement), address(certificates));
        AssetListings.Lot memory lot = lotOf(alice, address(assets), assets.mint(address(alice.account)), 1);
        string memory line = policy.listingLine(lot, FAR);
        bytes memory byOwner = sign(
            alice.ownerPk, MessageHashUtils.toEthSignedMessageHash(bytes(line))
        );
        bytes memory no = abi.encodeWithSelector(Mandates.BadOwnerSignature.selector, alice.id);
        vm.expectRevert(no);
        twin.listByMessage(lot, FAR, "", "", byOwner);
        nft.admitPolicy(twin);
        uint256 before = vm.snapshotState();
        vm.prank(alice.owner);
        nft.bindPolicy(alice.id, twin);
        vm.expectRevert(no);
        twin.listByMessage(lot, FAR, "", "", byOwner);
        require(twin.offerOf(alice.id, lot.asset, lot.tokenId).token == address(0), "not listed there");
        vm.revertToState(before);
        policy.listByMessage(lot, FAR, "", "", byOwner);
        require(isListed(alice.id, lot.asset, lot.tokenId), "where it was signed for");
    }

    function test_every_window_comes_over_and_no_dollar_is_spent_twice() public {
        ISpendPolicy.TokenCap[] memory c = caps(50e6, 60e6, 80e6, 100e6, 0, 0);
        setMandate(bob, terms(BUY), c);
        spend(bob, 30e6); // day, week, month
        vm.warp(START + 2 days);
        spend(bob, 20e6);
        nft.admitPolicy(newer);
        vm.warp(START + 2 days + 1 hours);
        moveOver(bob);
        bob = approveAnew(bob, c);
        (uint256 day, uint256 week, uint256 month) = newer.spentOf(bob.id, address(usdc));
        require(day == 20e6 && week == 50e6 && month == 50e6, "the former policy's word");
        ISpendPolicy.Limits memory left = newer.remaining(bob.id, address(usdc));
        require(left.day == 40e6 && left.week == 30e6 && left.month == 50e6 && left.spendable == 30e6, "what is left");

        spend(bob, 25e6);
        refuseSpend(
            6e6, abi.encodeWithSelector(SpendPolicy.WeekCapExceeded.selector, bob.id, address(usdc), 6e6, 75e6, 80e6)
        );
        spend(bob, 5e6);
        // What was spent before leaves the windows as it would have.
        vm.warp(START + 7 days);
        refuseSpend(
            31e6, abi.encodeWithSelector(SpendPolicy.WeekCapExceeded.selector, bob.id, address(usdc), 31e6, 50e6, 80e6)
        );
        spend(bob, 20e6);
        refuseSpend(
            1e6, abi.encodeWithSelector(SpendPolicy.MonthCapExceeded.selector, bob.id, address(usdc), 1e6, 100e6, 100e6)
        );
        vm.warp(1_761_955_200); // 2025-11-01
        spend(bob, 50e6);
        vm.warp(START + 40 days);
        (day, week, month) = newer.spentOf(bob.id, address(usdc));
        require(day == 0 && week == 0 && month == 50e6, "its own alone");
    }

    function test_a_policy_is_admitted_where_there_is_code_and_that_is_told() public {
        vm.expectRevert(abi.encodeWithSelector(AgentNFT.PolicyNotAdmitted.selector, SHOP));
        nft.admitPolicy(ISpendPolicy(SHOP));
        vm.etch(SHOP, hex"00");
        vm.expectEmit(address(nft));
        emit AgentNFT.PolicyAdmitted(SHOP);
        nft.admitPolicy(ISpendPolicy(SHOP));
    }

    function test_a_binding_signed_until_now_counts_now_and_is_counted() public {
        nft.admitPolicy(newer);
        uint48 deadline = uint48(block.timestamp);
        require(nft.bindingsOf(bob.id) == 0, "none yet");
        nft.bindPolicyBySig(
            bob.id, newer, deadline, sign(bob.ownerPk, policyDigest(bob, address(newer), deadline))
        );
        require(nft.bindingsOf(bob.id) == 1 && address(nft.policyOf(bob.id)) == address(newer), "once");
    }

    function test_what_was_spent_in_a_months_first_second_counts_until_its_last() public {
        vm.warp(1_764_547_200); // 2025-12-01, a month of 31 days
        ISpendPolicy.TokenCap[] memory c = caps(50e6, 0, 0, 50e6, 0, 0);
        setMandate(bob, terms(BUY), c);
        nft.admitPolicy(newer);
        spend(bob, 30e6);
        moveOver(bob);
        vm.warp(1_767_225_599); // 2025-12-31 23:59:59
        bob = approveAnew(bob, c);
        refuseSpend(
            21e6, abi.encodeWithSelector(SpendPolicy.MonthCapExceeded.selector, bob.id, address(usdc), 21e6, 30e6, 50e6)
        );
        spend(bob, 20e6);
    }

    function refuseSpend(uint256 amount, bytes memory no) private {
        vm.prank(bob.key);
        vm.expectRevert(no);
        bob.account.spend(address(usdc), SHOP, amount, "ref");
    }

    function test_windows_come_over_through_every_policy_in_between() public {
        ISpendPolicy.TokenCap[] memory c = caps(50e6, 60e6, 0, 0, 0, 0);
        spend(bob, 40e6);
        nft.admitPolicy(newer);
        moveOver(bob);
        bob = approveAnew(bob, c);
        spend(bob, 10e6);
        SpendPolicy third = new SpendPolicy(address(this), address(manager));
        third.bind(IAgentNFT(nft), address(second), address(certificates));
        nft.admitPolicy(third);
        vm.prank(bob.owner);
        nft.bindPolicy(bob.id, third);
        (uint256 day,,) = third.spentOf(bob.id, address(usdc));
        require(day == 50e6, "of both");
    }

    function test_a_payment_booked_before_is_paid_once_at_most_and_not_after_the_owner_moved_on() public {
        vm.prank(bob.key);
        bytes32 digest =
            bob.account.authorizePayment(address(usdc), SHOP, 40e6, 0, block.timestamp + 1 hours, "n1", "ref");
        bytes memory signature = abi.encodePacked(bob.key, sign(bob.keyPk, digest));
        require(bob.account.isValidSignature(digest, signature) == 0x1626ba7e, "on its way");
        nft.admitPolicy(newer);
        moveOver(bob);
        require(bob.account.isValidSignature(digest, signature) == 0xffffffff, "ended with the binding");
        // Also where the owner grants the very same key and the version would be the same number.
        vm.startPrank(bob.owner);
        newer.setMandate(bob.id, terms(BUY), caps(50e6, 60e6, 0, 0, 0, 0), none(), none());
        newer.grantKey(bob.id, bob.key, FAR);
        vm.stopPrank();
        require(bob.account.isValidSignature(digest, signature) == 0xffffffff, "for good");
        // It stays booked all the same.
        refuseSpend(
            21e6, abi.encodeWithSelector(SpendPolicy.DayCapExceeded.selector, bob.id, address(usdc), 21e6, 40e6, 60e6)
        );
    }

    function test_a_policy_is_bound_by_the_current_owner_alone() public {
        nft.admitPolicy(newer);
        address[5] memory strangers = [bob.key, alice.owner, GUARDIAN, address(this), address(newer)];
        for (uint256 i; i < strangers.length; ++i) {
            vm.prank(strangers[i]);
            vm.expectRevert(abi.encodeWithSelector(AgentNFT.NotAgentOwner.selector, bob.id, strangers[i]));
            nft.bindPolicy(bob.id, newer);
            vm.prank(strangers[i]);
            vm.expectRevert(abi.encodeWithSelector(AgentAccount.NotAgentToken.selector, strangers[i]));
            bob.account.bindPolicy(newer);
            vm.prank(strangers[i]);
            vm.expectRevert(abi.encodeWithSelector(Mandates.NotAgentNFT.selector, strangers[i]));
            newer.adopt(bob.id, address(bob.account), 1, policy);
        }
        bytes memory bad = abi.encodeWithSelector(AgentNFT.BadBindingSignature.selector, bob.id);
        bytes memory words_ = sign(bob.keyPk, policyDigest(bob, address(newer), FAR));
        vm.expectRevert(bad);
        nft.bindPolicyBySig(bob.id, newer, FAR, words_);
        words_ = sign(bob.ownerPk, policyDigest(bob, address(newer), START));
        vm.warp(START + 1);
        vm.expectRevert(abi.encodeWithSelector(AgentNFT.BindingExpired.selector, START));
        nft.bindPolicyBySig(bob.id, newer, START, words_);
        words_ = sign(bob.ownerPk, policyDigest(bob, address(newer), FAR));
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, alice.owner, bob.id);
        vm.expectRevert(bad);
        nft.bindPolicyBySig(bob.id, newer, FAR, words_);
        require(address(nft.policyOf(bob.id)) == address(policy), "where it was");
    }

    function test_only_an_admitted_policy_is_bound_and_none_is_come_back_to() public {
        vm.startPrank(bob.owner);
        vm.expectRevert(abi.encodeWithSelector(AgentNFT.PolicyNotAdmitted.selector, address(newer)));
        nft.bindPolicy(bob.id, newer);
        vm.expectRevert(abi.encodeWithSignature("NotInRole(uint64,address)", 0, bob.owner));
        nft.admitPolicy(newer);
        vm.stopPrank();
        nft.admitPolicy(newer);
        nft.admitPolicy(policy);
        vm.startPrank(bob.owner);
        nft.bindPolicy(bob.id, newer);
        bytes memory no = abi.encodeWithSelector(Mandates.AlreadyInitialised.selector, bob.id);
        vm.expectRevert(no);
        nft.bindPolicy(bob.id, newer);
        vm.expectRevert(no);
        nft.bindPolicy(bob.id, policy);
        vm.stopPrank();
    }

    function test_no_owner_sets_a_mandate_under_a_policy_before_the_agent_comes_over() public {
        nft.admitPolicy(newer);
        vm.startPrank(bob.owner);
        vm.expectRevert(abi.encodeWithSelector(Mandates.NotUnderPolicy.selector, bob.id));
        newer.setMandate(bob.id, terms(BUY), caps(500e6), none(), none());
        newer.grantKey(bob.id, bob.key, FAR);
        require(!newer.keyIsLive(bob.id, bob.key), "no mandate, no key");
        nft.transferFrom(bob.owner, alice.owner, bob.id);
        vm.stopPrank();
        // Else the former owner could have barred the next one from the policy for good.
        vm.startPrank(alice.owner);
        nft.bindPolicy(bob.id, newer);
        newer.setMandate(bob.id, terms(BUY), caps(500e6), none(), none());
        vm.stopPrank();
        require(newer.mandates(bob.id).sides == BUY && !newer.keyIsLive(bob.id, bob.key), "the new owner's word alone");
    }

    function test_a_sale_ends_the_keys_under_the_policy_that_the_agent_is_bound_to() public {
        nft.admitPolicy(newer);
        moveOver(bob);
        bob = approveAnew(bob, caps(50e6));
        spend(bob, 1e6);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, SHOP, bob.id);
        refuseSpend(1e6, abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, bob.id, bob.key));
    }

    function test_an_owner_does_not_leave_the_guardians_stop_behind() public {
        nft.admitPolicy(newer);
        vm.prank(GUARDIAN);
        policy.pauseAll(72 hours);
        moveOver(bob);
        bob = approveAnew(bob, caps(50e6));
        refuseSpend(1e6, abi.encodeWithSelector(SpendPolicy.AgentPaused.selector, bob.id));
        vm.warp(START + 72 hours);
        spend(bob, 1e6);
        vm.prank(GUARDIAN);
        vm.expectRevert(abi.encodeWithSignature("CoolingDown(uint256)", START + 72 hours + 7 days));
        newer.setPaused(bob.id, true);
    }

    function test_a_quoted_agent_is_not_sold_under_another_policy_than_it_was_quoted_under() public {
        nft.admitPolicy(newer);
        uint256 quoted = bob.account.state();
        moveOver(bob);
        require(bob.account.state() != quoted, "moved");
    }

    function test_a_quoted_state_does_not_come_back_under_a_policy_that_counts_other_certificates() public {
        SpendPolicy other = new SpendPolicy(address(this), address(manager));
        other.bind(
            IAgentNFT(nft), address(settlement), address(new Certificates(address(manager), IAgentNFT(nft), address(settlement)))
        );
        nft.admitPolicy(other);
        uint256 lot = certificates.issue(address(bob.account), "serial:vin:1HGCM82633A004352", false);
        vm.prank(address(bob.account));
        certificates.transferFrom(address(bob.account), carol.owner, lot);
        uint256 quoted = bob.account.state();
        nft.bindPolicyBySig(bob.id, other, FAR, sign(bob.ownerPk, policyDigest(bob, address(other), FAR)));
        // One act more, one departure less.
        require(certificates.departuresOf(address(bob.account)) == 1 && bob.account.state() != quoted, "moved");
    }
}
