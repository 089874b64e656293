// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {AgentNFT} from "../../AgentNFT.sol";
import {Settlement} from "../../Settlement.sol";
import {IAgentNFT} from "../../interfaces/IAgentNFT.sol";
import {ISettlement} from "../../interfaces/ISettlement.sol";
import {Base} from "../Base.sol";

/// @dev Pushes an agent upon the buyer while it is itself delivered.
contract BringsAnAgent is ERC721("Brings an agent", "PUSH") {
    AgentNFT private immutable NFT;
    uint256 private immutable AGENT;

    constructor(AgentNFT nft, uint256 agent, address to) {
        (NFT, AGENT) = (nft, agent);
        _mint(to, 1);
    }

    function transferFrom(address from, address to, uint256 id) public override {
        super.transferFrom(from, to, id);
        NFT.transferFrom(address(this), to, AGENT);
    }
}

/// @dev Says of anybody that they are buying an agent right now.
contract SaysSo is ISettlement {
    address public receiver;

    function push(AgentNFT nft, address to, uint256 id) external {
        receiver = to;
        nft.transferFrom(address(this), to, id);
    }
}

/// @dev An account of a token that does not ask who holds it.
contract ActsForAnybody {
    function act(address to, bytes calldata data) external {
        (bool success, bytes memory result) = to.call(data);
        if (!success) {
            assembly {
                revert(add(result, 0x20), mload(result))
            }
        }
    }
}

/// @dev An account that holds agents is not sold. So nobody puts one into it but its own.
contract GuestsTest is Base {
    Party private carol;

    function setUp() public {
        deployWithParties();
        carol = party(0xCA401, terms(BUY | SELL), caps(500e6));
    }

    function refusal(Party memory guest, Party memory host) private pure returns (bytes memory) {
        return abi.encodeWithSelector(AgentNFT.AgentNotAsked.selector, guest.id, address(host.account));
    }

    function test_a_stranger_puts_no_agent_into_the_account_of_one() public {
        uint256 state = alice.account.state();
        vm.startPrank(carol.owner);
        vm.expectRevert(refusal(carol, alice));
        nft.transferFrom(carol.owner, address(alice.account), carol.id);
        vm.expectRevert(refusal(carol, alice));
        nft.safeTransferFrom(carol.owner, address(alice.account), carol.id);
        nft.approve(bob.owner, carol.id);
        vm.stopPrank();
        vm.prank(bob.owner);
        vm.expectRevert(refusal(carol, alice));
        nft.transferFrom(carol.owner, address(alice.account), carol.id);
        // Nor out of an account, through the owner's door.
        enter(bob, carol);
        vm.prank(carol.owner);
        vm.expectRevert(refusal(bob, alice));
        carol.account.execute(
            address(nft),
            0,
            abi.encodeCall(nft.transferFrom, (address(carol.account), address(alice.account), bob.id)),
            0
        );
        require(alice.account.state() == state, "as it was");
    }

    function test_an_owner_moves_its_own_agent_into_its_other_one_and_back() public {
        vm.prank(carol.owner);
        nft.transferFrom(carol.owner, alice.owner, carol.id);
        vm.prank(alice.owner);
        nft.transferFrom(alice.owner, address(alice.account), carol.id);
        require(nft.ownerOf(carol.id) == address(alice.account), "in");
        vm.prank(alice.owner);
        alice.account.execute(
            address(nft), 0, abi.encodeCall(nft.transferFrom, (address(alice.account), alice.owner, carol.id)), 0
        );
        // By the hand of whom the owner allows it.
        vm.prank(alice.owner);
        nft.approve(SHOP, carol.id);
        vm.prank(SHOP);
        nft.transferFrom(alice.owner, address(alice.account), carol.id);
        require(nft.ownerOf(carol.id) == address(alice.account), "in again");
    }

    function move(Party memory host, Party memory guest, address to) private {
        bytes memory call = abi.encodeCall(nft.transferFrom, (address(host.account), to, guest.id));
        host.account.execute(address(nft), 0, call, 0);
    }

    function test_an_owner_of_two_agents_moves_a_third_from_one_into_the_other() public {
        Party memory other = party(0x07E4, terms(BUY), caps(1e6));
        vm.prank(other.owner);
        nft.transferFrom(other.owner, alice.owner, other.id);
        enter(carol, alice);
        vm.prank(alice.owner);
        move(alice, carol, address(other.account));
        require(nft.ownerOf(carol.id) == address(other.account), "over");
        // Though not into an agent of somebody else, nor is one taken from where it is.
        vm.prank(alice.owner);
        vm.expectRevert(refusal(carol, bob));
        move(other, carol, address(bob.account));
    }

    function test_whom_two_owners_gave_things_to_keep_opens_no_account_by_one_that_anybody_moves() public {
        address open = nft.REGISTRY().createAccount(address(new ActsForAnybody()), 0, block.chainid, address(assets), assets.mint(SHOP));
        vm.prank(carol.owner);
        nft.transferFrom(carol.owner, open, carol.id);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, SHOP, bob.id);
        vm.expectRevert(refusal(carol, bob));
        ActsForAnybody(open).act(address(nft), abi.encodeCall(nft.transferFrom, (open, address(bob.account), carol.id)));
    }

    function test_an_account_of_another_collections_token_of_the_same_number_speaks_for_no_owner() public {
        address open = nft.REGISTRY().createAccount(address(new ActsForAnybody()), 0, block.chainid, address(assets), bob.id);
        vm.prank(carol.owner);
        nft.transferFrom(carol.owner, open, carol.id);
        vm.expectRevert(refusal(carol, bob));
        ActsForAnybody(open).act(address(nft), abi.encodeCall(nft.transferFrom, (open, address(bob.account), carol.id)));
    }

    function test_below_a_token_that_nobody_answers_for_only_who_stands_there_brings_an_agent_in() public {
        address open = nft.REGISTRY().createAccount(address(new ActsForAnybody()), 0, block.chainid, address(assets), 999);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, open, bob.id);
        vm.startPrank(carol.owner);
        vm.expectRevert(refusal(carol, bob));
        nft.transferFrom(carol.owner, address(bob.account), carol.id);
        nft.transferFrom(carol.owner, open, carol.id);
        vm.stopPrank();
        ActsForAnybody(open).act(address(nft), abi.encodeCall(nft.transferFrom, (open, address(bob.account), carol.id)));
        require(nft.ownerOf(carol.id) == address(bob.account), "by the account above");
    }

    function test_accepted_limit_an_agent_sent_to_an_account_that_is_not_made_yet_is_taken_out_by_its_owner() public {
        address to = nft.REGISTRY().account(address(implementation), nft.SALT(), block.chainid, address(nft), nextId());
        vm.prank(carol.owner);
        nft.transferFrom(carol.owner, to, carol.id);
        Party memory dave = party(0xDA7E, terms(BUY), caps(1e6));
        require(address(dave.account) == to && nft.ownerOf(carol.id) == to, "there beforehand");
        vm.prank(dave.owner);
        move(dave, carol, dave.owner);
        require(nft.ownerOf(carol.id) == dave.owner, "out");
    }

    function test_who_stands_above_an_account_takes_an_agent_in_that_is_left_to_them() public {
        enter(bob, alice);
        vm.startPrank(carol.owner);
        nft.approve(alice.owner, carol.id);
        vm.stopPrank();
        // Alice's wallet owns her agent, whose account owns Bob's.
        vm.prank(alice.owner);
        nft.transferFrom(carol.owner, address(bob.account), carol.id);
        require(nft.ownerOf(carol.id) == address(bob.account), "by the wallet at the top");
        Party memory dave = party(0xDA7E, terms(BUY), caps(1e6));
        vm.prank(dave.owner);
        nft.approve(address(bob.account), dave.id);
        bytes memory take = abi.encodeCall(nft.transferFrom, (dave.owner, address(bob.account), dave.id));
        bytes memory act = abi.encodeCall(bob.account.execute, (address(nft), 0, take, 0));
        vm.prank(alice.owner);
        alice.account.execute(address(bob.account), 0, act, 0);
        require(nft.ownerOf(dave.id) == address(bob.account), "by the account itself");
    }

    function test_the_minter_mints_where_it_was_paid_to() public {
        (uint256 id,) = nft.mint(order(address(alice.account), vm.addr(0xCE), terms(BUY), caps(1e6)));
        require(nft.ownerOf(id) == address(alice.account), "in");
    }

    function test_a_deal_delivers_the_agent_that_is_bought_and_nobody_is_receiving_after() public {
        enter(carol, alice);
        Settlement.Deal memory d = dealOver(address(nft), carol.id, 100e6);
        d.state = carol.account.state();
        settle(d);
        require(nft.ownerOf(carol.id) == address(bob.account), "from the account");
        require(settlement.receiver() == address(0), "over");
    }

    function test_a_deal_delivers_the_agent_that_the_sellers_wallet_holds() public {
        vm.prank(carol.owner);
        nft.transferFrom(carol.owner, alice.owner, carol.id);
        vm.prank(alice.owner);
        nft.approve(address(settlement), carol.id);
        Settlement.Deal memory d = dealOver(address(nft), carol.id, 100e6);
        d.state = carol.account.state();
        settle(d);
        require(nft.ownerOf(carol.id) == address(bob.account), "from the wallet");
    }

    function test_an_asset_brings_no_agent_along_with_itself() public {
        BringsAnAgent push = new BringsAnAgent(nft, carol.id, address(alice.account));
        vm.prank(carol.owner);
        nft.transferFrom(carol.owner, address(push), carol.id);
        settleRefused(dealOver(address(push), 1, 100e6), refusal(carol, bob));
    }

    function test_a_settlement_that_the_account_is_not_bound_to_delivers_nothing_there() public {
        SaysSo other = new SaysSo();
        vm.prank(carol.owner);
        nft.transferFrom(carol.owner, address(other), carol.id);
        vm.expectRevert(refusal(carol, alice));
        other.push(nft, address(alice.account), carol.id);
        // Whom its owner has bound it to, it takes agents from.
        policy.admitSettlement(address(other));
        vm.prank(alice.owner);
        policy.bindSettlement(alice.id, address(other));
        other.push(nft, address(alice.account), carol.id);
        require(nft.ownerOf(carol.id) == address(alice.account), "bound");
    }

    function test_an_agent_whose_owner_bound_it_to_another_settlement_buys_agents_there() public {
        Settlement second = new Settlement(IAgentNFT(nft), address(manager), TREASURY);
        policy.admitSettlement(address(second));
        vm.prank(alice.owner);
        policy.bindSettlement(alice.id, address(second));
        vm.prank(bob.owner);
        policy.bindSettlement(bob.id, address(second));
        enter(carol, alice);
        settlement = second;
        Settlement.Deal memory d = dealOver(address(nft), carol.id, 100e6);
        d.state = carol.account.state();
        settle(d);
        require(nft.ownerOf(carol.id) == address(bob.account), "sold");
    }

    function test_accounts_that_are_not_an_agents_own_are_open_to_anybody() public {
        address other = nft.REGISTRY().createAccount(address(0xD00D), "salt", block.chainid, address(nft), alice.id);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, other, bob.id);
        address namesake =
            nft.REGISTRY().createAccount(address(implementation), 0, block.chainid, address(assets), alice.id);
        vm.prank(carol.owner);
        nft.transferFrom(carol.owner, namesake, carol.id);
        require(nft.ownerOf(bob.id) == other && nft.ownerOf(carol.id) == namesake, "moved");
    }
}
