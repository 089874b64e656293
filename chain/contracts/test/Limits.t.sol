// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {AgentAccount} from "../AgentAccount.sol";
import {DemoAssets} from "../DemoAssets.sol";
import {Mandates} from "../Mandates.sol";
import {Settlement} from "../Settlement.sol";
import {IERC6551Registry} from "../interfaces/IERC6551.sol";
import {ISpendPolicy} from "../interfaces/ISpendPolicy.sol";
import {Base} from "./Base.sol";

/// @dev Compound III grants by `allow`, Boring tokens by a batch, and this one by a call that nobody has heard of too.
contract OddToken is ERC20("Odd", "ODD") {
    mapping(address => mapping(address => bool)) public isAllowed;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function allow(address manager, bool on) external {
        isAllowed[msg.sender][manager] = on;
    }

    function befriend(address manager) external {
        isAllowed[msg.sender][manager] = true;
    }

    function batch(bytes[] calldata calls, bool) external {
        for (uint256 i; i < calls.length; ++i) {
            (bool ok,) = address(this).delegatecall(calls[i]);
            require(ok);
        }
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        require(isAllowed[from][msg.sender], "Unauthorized");
        _transfer(from, to, amount);
        return true;
    }
}

/// @dev What the small doors let through no more, and what the contracts do not protect from, each by its name.
contract LimitsTest is Base {
    function setUp() public {
        deployWithParties();
    }

    function test_allowances_of_lending_markets_and_batches_are_refused() public {
        OddToken odd = new OddToken();
        bytes[] memory calls = new bytes[](1);
        calls[0] = abi.encodeCall(odd.approve, (SHOP, 1));
        bytes[8] memory grants = [
            abi.encodeCall(odd.allow, (SHOP, true)),
            abi.encodeCall(odd.batch, (calls, true)),
            abi.encodeWithSignature("multicall(bytes[])", calls),
            abi.encodeWithSignature("multicall(uint256,bytes[])", 1, calls),
            abi.encodeWithSignature("multicall(bytes32,bytes[])", bytes32(0), calls),
            abi.encodeWithSignature("setAuthorization(address,bool)", SHOP, true),
            abi.encodeWithSignature("approveDelegation(address,uint256)", SHOP, 1),
            abi.encodeWithSignature("hope(address)", SHOP)
        ];
        for (uint256 i; i < grants.length; ++i) {
            vm.prank(bob.owner);
            vm.expectRevert(
                abi.encodeWithSelector(AgentAccount.AllowanceForbidden.selector, address(odd), bytes4(grants[i]))
            );
            bob.account.execute(address(odd), 0, grants[i], 0);
        }
    }

    function test_accepted_limit_an_allowance_by_a_call_that_is_not_listed_outlives_a_sale() public {
        OddToken odd = new OddToken();
        odd.mint(address(bob.account), 100);
        vm.prank(bob.owner);
        bob.account.execute(address(odd), 0, abi.encodeCall(odd.befriend, (bob.owner)), 0);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, SHOP, bob.id);
        vm.prank(bob.owner);
        odd.transferFrom(address(bob.account), bob.owner, 100);
        require(odd.balanceOf(bob.owner) == 100, "whoever buys looks at other tokens' allowances");
    }

    function test_accepted_limit_a_category_is_what_the_keys_say_it_is() public {
        ISpendPolicy.Terms memory t = terms(BUY);
        t.categories = 1 << RWA;
        setMandate(bob, t, caps(500e6));
        DemoAssets junk = new DemoAssets();
        settle(dealOver(address(junk), junk.mint(address(alice.account)), 500e6));
    }

    function test_accepted_limit_a_denied_party_comes_back_under_another_address() public {
        Party memory again = party(0xA11CE, terms(SELL), caps(500e6));
        vm.prank(bob.owner);
        policy.setMandate(bob.id, terms(BUY), caps(500e6), none(), one(address(alice.account)));
        vm.startPrank(bob.key);
        bob.account.spend(address(usdc), address(again.account), 1e6, "");
        bob.account.spend(address(usdc), alice.owner, 1e6, "");
        vm.stopPrank();
    }

    function test_accepted_limit_a_cap_a_deal_without_window_or_total_bounds_no_stolen_key() public {
        setMandate(bob, terms(BUY), caps(150e6));
        for (uint256 i; i < 6; ++i) spend(bob, 150e6);
        require(usdc.balanceOf(address(bob.account)) == 100e6, "in one block");
    }

    function test_accepted_limit_an_agent_sent_to_an_account_of_its_own_that_has_no_code_yet_is_locked() public {
        IERC6551Registry r = nft.REGISTRY();
        address later = r.account(address(implementation), bytes32(uint256(1)), block.chainid, address(nft), bob.id);
        vm.prank(bob.owner);
        nft.transferFrom(bob.owner, later, bob.id);
        r.createAccount(address(implementation), bytes32(uint256(1)), block.chainid, address(nft), bob.id);
        require(AgentAccount(payable(later)).owner() == later, "by its own owner's hand");
    }

    function test_accepted_limit_a_key_that_ran_out_and_is_prolonged_may_settle_what_it_signed_before() public {
        vm.prank(bob.owner);
        policy.grantKey(bob.id, bob.key, START + 10);
        Settlement.Deal memory d = deal(100e6);
        vm.warp(START + 20);
        vm.prank(bob.owner);
        policy.grantKey(bob.id, bob.key, FAR);
        settle(d);
    }

    function test_a_key_that_was_revoked_or_served_a_former_owner_is_never_granted_again() public {
        Settlement.Deal memory d = deal(100e6);
        d.deadline = START + 30 days;
        vm.startPrank(bob.owner);
        policy.revokeKey(bob.id, bob.key);
        bytes memory refusal = abi.encodeWithSelector(Mandates.KeyUsedBefore.selector, bob.id, bob.key);
        vm.expectRevert(refusal);
        policy.grantKey(bob.id, bob.key, FAR);
        nft.transferFrom(bob.owner, bob.owner, bob.id);
        vm.expectRevert(refusal);
        policy.grantKey(bob.id, bob.key, FAR);
        vm.stopPrank();
        settleRefused(d, abi.encodeWithSignature("KeyNotLive(uint256,address)", bob.id, bob.key));
    }

    function test_a_token_stands_once_among_the_caps_whatever_its_amounts() public {
        ISpendPolicy.TokenCap[] memory c = new ISpendPolicy.TokenCap[](2);
        c[1] = ISpendPolicy.TokenCap(address(usdc), 500e6, 0, 0, 0, 0, 0);
        for (uint256 i; i < 5; ++i) {
            uint128[5] memory a;
            a[i] = 10e6;
            c[0] = ISpendPolicy.TokenCap(address(usdc), 0, a[0], a[1], a[2], a[3], a[4]);
            vm.prank(bob.owner);
            vm.expectRevert(abi.encodeWithSelector(Mandates.DuplicateToken.selector, address(usdc)));
            policy.setMandate(bob.id, terms(BUY), c, none(), none());
        }
    }

    function test_a_wallet_with_a_delegation_signs_by_its_own_key() public {
        (, string memory n, string memory v,,,,) = policy.eip712Domain();
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(n)),
                keccak256(bytes(v)),
                block.chainid,
                address(policy)
            )
        );
        bytes32 content = keccak256(
            abi.encode(
                keccak256("SetPaused(uint256 agentId,bool paused,uint32 epoch,uint256 nonce,uint48 deadline)"),
                bob.id,
                true,
                nft.epochOf(bob.id),
                0,
                START + 60
            )
        );
        bytes memory signature = sign(bob.ownerPk, keccak256(abi.encodePacked("\x19\x01", domain, content)));
        vm.etch(bob.owner, hex"00"); // any delegate that does not know ERC-1271
        bytes memory byAnother = sign(alice.ownerPk, keccak256(abi.encodePacked("\x19\x01", domain, content)));
        vm.expectRevert(abi.encodeWithSelector(Mandates.BadOwnerSignature.selector, bob.id));
        policy.setPausedBySig(bob.id, true, START + 60, byAnother);
        policy.setPausedBySig(bob.id, true, START + 60, signature);
        require(policy.mandates(bob.id).pausedByOwner, "paused");
    }

    function test_an_owner_books_nothing_that_never_was() public {
        bytes[3] memory calls = [
            abi.encodeCall(policy.bookPayment, (bob.id, bob.key, address(usdc), SHOP, 500e6)),
            abi.encodeCall(
                policy.bookPurchase,
                (bob.id, address(settlement), ISpendPolicy.Purchase(bob.key, address(usdc), SHOP, 500e6, RWA))
            ),
            abi.encodeCall(
                policy.bookSale,
                (bob.id, address(settlement), ISpendPolicy.Sale(bob.key, address(assets), 1, SHOP, address(usdc), 1, RWA))
            )
        ];
        for (uint256 i; i < 3; ++i) {
            vm.prank(bob.owner);
            vm.expectRevert(abi.encodeWithSelector(AgentAccount.BookingForbidden.selector, bytes4(calls[i])));
            bob.account.execute(address(policy), 0, calls[i], 0);
        }
        require(policy.spentTotal(bob.id, address(usdc)) == 0, "nothing");
    }
}
