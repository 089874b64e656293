// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessManager} from "@openzeppelin/contracts/access/manager/IAccessManager.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AgentNFT} from "../../AgentNFT.sol";
import {FeeVault} from "../../FeeVault.sol";
import {Roles} from "../../access/Roles.sol";
import {Cast} from "../Cast.sol";

/// @dev A contract that the manager could hand to another manager, as none of the platform's can be.
contract Handed {
    address public authority;

    function setAuthority(address to) external {
        authority = to;
    }
}

/// @dev Every door of the platform's manager, of the vault and of what names a vault, for everybody who may not pass it.
contract WrongCallersOfTheRolesTest is Cast {
    address private constant SLOW = address(0x510);

    function setUp() public {
        setUpCast();
    }

    function notAdmin() private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAccessManager.AccessManagerUnauthorizedAccount.selector, WHO, Roles.ADMIN);
    }

    function test_only_the_admin_gives_and_takes_every_role() public {
        address to = address(manager);
        address[] memory admin = one(address(this));
        address[6] memory holders = [address(this), MINTER, RECORDER, ISSUER, GUARDIAN, TREASURER];
        for (uint64 role; role <= LAST_ROLE; ++role) {
            // Nobody gives themselves one, and no holder hands theirs on.
            bytes memory call = abi.encodeCall(manager.grantRole, (role, WHO, 0));
            door("DelayedAccessManager.grantRole", to, call, notAdmin(), admin);
            call = abi.encodeCall(manager.revokeRole, (role, holders[role]));
            door("DelayedAccessManager.revokeRole", to, call, notAdmin(), admin);
            call = abi.encodeCall(manager.renounceRole, (role, holders[role]));
            bytes memory refusal = abi.encodeWithSelector(IAccessManager.AccessManagerBadConfirmation.selector);
            door("DelayedAccessManager.renounceRole", to, call, refusal, one(holders[role]));
            bytes[] memory inside = new bytes[](1);
            inside[0] = abi.encodeCall(manager.grantRole, (role, STRANGER, 0));
            call = abi.encodeCall(manager.multicall, (inside));
            door("DelayedAccessManager.multicall", to, call, notAdmin(), admin);
        }
    }

    function test_only_the_admin_says_what_the_manager_keeps_of_contracts() public {
        address to = address(manager);
        address[] memory admin = one(address(this));
        bytes4[] memory none_ = new bytes4[](1);
        bytes memory call = abi.encodeCall(manager.labelRole, (Roles.MINTER, "x"));
        door("DelayedAccessManager.labelRole", to, call, notAdmin(), admin);
        call = abi.encodeCall(manager.setTargetFunctionRole, (address(nft), none_, Roles.MINTER));
        door("DelayedAccessManager.setTargetFunctionRole", to, call, notAdmin(), admin);
        call = abi.encodeCall(manager.setTargetAdminDelay, (address(nft), 1));
        door("DelayedAccessManager.setTargetAdminDelay", to, call, notAdmin(), admin);
        call = abi.encodeCall(manager.setTargetClosed, (address(nft), true));
        door("DelayedAccessManager.setTargetClosed", to, call, notAdmin(), admin);
        call = abi.encodeCall(manager.updateAuthority, (address(new Handed()), STRANGER));
        door("DelayedAccessManager.updateAuthority", to, call, notAdmin(), admin);
    }

    function test_nobody_else_acts_through_the_manager_and_nobody_plans_or_stops_what_is_not_theirs() public {
        manager.grantRole(Roles.ADMIN, SLOW, 1 hours);
        vm.warp(block.timestamp + 2 days);
        // By now the last grants count.
        manager.revokeRole(Roles.ADMIN, nextOf(Roles.ADMIN));
        address to = address(manager);
        bytes memory act = abi.encodeCall(manager.labelRole, (Roles.MINTER, "x"));
        bytes4 which = manager.labelRole.selector;
        bytes memory refusal =
            abi.encodeWithSelector(IAccessManager.AccessManagerUnauthorizedCall.selector, WHO, to, which);
        bytes memory call = abi.encodeCall(manager.execute, (to, act));
        door("DelayedAccessManager.execute", to, call, refusal, one(address(this)));
        call = abi.encodeCall(manager.schedule, (to, act, 0));
        door("DelayedAccessManager.schedule", to, call, refusal, one(SLOW));
        vm.prank(SLOW);
        manager.schedule(to, act, 0);
        call = abi.encodeCall(manager.cancel, (SLOW, to, act));
        refusal =
            abi.encodeWithSelector(IAccessManager.AccessManagerUnauthorizedCancel.selector, WHO, SLOW, to, which);
        door("DelayedAccessManager.cancel", to, call, refusal, list_(SLOW, address(this)));
    }

    function test_the_admin_does_nothing_in_another_role_through_the_manager() public {
        bytes memory act = abi.encodeCall(nft.setBaseURI, ("x"));
        vm.expectRevert(abi.encodeWithSignature("NotInRole(uint64,address)", Roles.MINTER, address(manager)));
        manager.execute(address(nft), act);
    }

    function test_only_the_treasury_takes_fees_out() public {
        usdc.mint(TREASURY, 5);
        bytes memory call = abi.encodeCall(FeeVault.withdraw, (IERC20(address(usdc)), WHO));
        door("FeeVault.withdraw", TREASURY, call, lacks(Roles.TREASURY), one(TREASURER));
    }

    function test_only_the_admin_names_another_vault() public {
        bytes memory call = abi.encodeCall(settlement.proposeVault, (STRANGER));
        door("Settlement.proposeVault", address(settlement), call, lacks(Roles.ADMIN), one(address(this)));
    }

    /// @dev Each waits one second more in the cast: then the doors that were shut to them open.
    function test_who_waits_for_a_role_has_it_when_the_wait_is_over_and_not_before() public {
        AgentNFT.MintOrder memory o = order(STRANGER, STRANGER, terms(BUY), caps(1));
        address[6] memory targets = [
            address(settlement), address(nft), address(ledger), address(certificates), address(policy), TREASURY
        ];
        bytes[6] memory calls = [
            abi.encodeCall(settlement.proposeVault, (STRANGER)),
            abi.encodeCall(nft.mint, (o)),
            abi.encodeCall(ledger.anchor, ("root", 1)),
            abi.encodeCall(certificates.issue, (STRANGER, "serial:vin:1HGCM82633A004352", false)),
            abi.encodeCall(policy.pauseAll, (1 hours)),
            abi.encodeCall(FeeVault.withdraw, (IERC20(address(usdc)), STRANGER))
        ];
        uint256 now_ = START + 4 days - 1;
        for (uint64 role; role <= LAST_ROLE; ++role) {
            vm.warp(now_);
            require(!tried(nextOf(role), targets[role], calls[role]), "too early");
            vm.warp(now_ + 1);
            require(!tried(formerOf(role), targets[role], calls[role]), "who held it before");
            require(tried(nextOf(role), targets[role], calls[role]), "too late");
        }
    }

    function tried(address who, address to, bytes memory call) private returns (bool done) {
        vm.prank(who);
        (done,) = to.call(call);
    }
}
