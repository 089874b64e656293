// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AgentNFT} from "../../AgentNFT.sol";
import {Settlement} from "../../Settlement.sol";
import {Base} from "../Base.sol";

/// @dev Says who owns its tokens, and burns as much gas as it is told to beforehand.
contract BurningOwners {
    uint256 public burns;
    mapping(uint256 tokenId => address) private _owners;

    function set(uint256 tokenId, address owner) external {
        _owners[tokenId] = owner;
    }

    function burn(uint256 gas_) external {
        burns = gas_;
    }

    function ownerOf(uint256 tokenId) external view returns (address) {
        uint256 until = gasleft() > burns ? gasleft() - burns : 0;
        while (gasleft() > until) {}
        return _owners[tokenId];
    }
}

/// @dev Above an agent stands whatever token its owner likes, whose code runs when the agent is given another.
contract ForeignOwnersTest is Base {
    BurningOwners private owners;
    Party private carol;

    /// @dev An agent's settlement that is refused with less counts against nobody.
    uint256 private constant IN_EARNEST = 300_000;

    function setUp() public {
        deployWithParties();
        owners = new BurningOwners();
        carol = party(0xCA401, terms(BUY | SELL), caps(500e6));
    }

    function accountOf(uint256 tokenId) private returns (address) {
        return nft.REGISTRY().createAccount(address(0xD00D), 0, block.chainid, address(owners), tokenId);
    }

    /// @dev Bob's agent under as many tokens of foreign accounts as may be followed.
    function hide(uint256 tokens) private {
        setMandate(bob, terms(BUY), caps(50e6, 100e6, 400e6, 900e6, 900e6, 0));
        address first = accountOf(1);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, first, bob.id);
        for (uint256 id = 1; id < tokens; ++id) {
            owners.set(id, accountOf(id + 1));
        }
        owners.set(tokens, bob.owner);
        bob = rekey(bob);
    }

    function settleAgent() private returns (bool) {
        enter(carol, alice);
        Settlement.Deal memory d = dealOver(address(nft), carol.id, 10e6);
        d.state = carol.account.state();
        (bytes memory s, bytes memory b) = signatures(d);
        try settlement.settle{gas: 650_000}(d, alice.key, s, bob.key, b) {
            return true;
        } catch {
            return false;
        }
    }

    /// forge-config: default.isolate = true
    function test_a_buyer_whose_owners_burn_all_gas_has_a_settlement_refused_for_no_more_than_an_honest_one() public {
        hide(1);
        owners.burn(type(uint256).max);
        bool done = settleAgent();
        require(!done && vm.lastCallGas().gasTotalUsed < IN_EARNEST, "burnt");
    }

    /// forge-config: default.isolate = true
    function test_nor_by_burning_a_little_at_each_of_many_tokens() public {
        hide(6);
        for (uint256 each = 5_000; each < 60_000; each += 5_000) {
            owners.burn(each);
            uint256 state = vm.snapshotState();
            bool done = settleAgent();
            require(done || vm.lastCallGas().gasTotalUsed < IN_EARNEST, "burnt");
            require(!done || each < 10_000, "together");
            vm.revertToState(state);
        }
    }

    function test_an_agent_comes_to_whose_owner_stands_above_tokens_of_honest_cost() public {
        hide(3);
        owners.burn(5_000);
        require(settleAgent() && nft.ownerOf(carol.id) == address(bob.account), "settled");
    }

    function test_the_agents_below_a_foreign_token_take_nothing_of_its_gas() public {
        hide(1);
        owners.burn(47_000);
        Party memory below = bob;
        for (uint256 more; more < 4; ++more) {
            Party memory next = party(0xBE10 + more, terms(BUY | SELL), caps(500e6));
            vm.prank(next.owner);
            nft.transferFrom(next.owner, bob.owner, next.id);
            vm.prank(bob.owner);
            nft.transferFrom(bob.owner, address(below.account), next.id);
            below = next;
        }
    }

    function test_a_token_that_answers_late_or_never_lets_no_ring_through() public {
        address above = accountOf(1);
        owners.set(1, address(alice.account));
        owners.burn(60_000);
        vm.prank(alice.owner);
        vm.expectRevert(abi.encodeWithSelector(AgentNFT.OwnershipCycle.selector, alice.id, above));
        nft.transferFrom(alice.owner, above, alice.id);
        owners.burn(1_000);
        vm.prank(alice.owner);
        vm.expectRevert(abi.encodeWithSelector(AgentNFT.OwnershipCycle.selector, alice.id, above));
        nft.transferFrom(alice.owner, above, alice.id);
        // Whatever gas the whole is given: what starves the question starves the transfer.
        for (uint256 given = 20_000; given < 200_000; given += 1_000) {
            vm.prank(alice.owner);
            (bool moved,) = address(nft).call{gas: given}(
                abi.encodeCall(nft.transferFrom, (alice.owner, above, alice.id))
            );
            require(!moved, "a ring");
        }
    }
}
