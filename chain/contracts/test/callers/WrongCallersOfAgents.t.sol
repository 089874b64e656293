// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AgentAccount} from "../../AgentAccount.sol";
import {AgentNFT} from "../../AgentNFT.sol";
import {IAgentAccount} from "../../interfaces/IAgentAccount.sol";
import {SpendPolicy} from "../../SpendPolicy.sol";
import {Roles} from "../../access/Roles.sol";
import {Cast} from "../Cast.sol";

/// @dev Every door of an agent's account and of the agents' token, for everybody who may not pass it.
contract WrongCallersOfAgentsTest is Cast {
    function setUp() public {
        setUpCast();
    }

    function test_nobody_else_passes_a_door_of_an_account_that_a_wallet_owns() public {
        accountHolds(plain);
    }

    function test_nobody_else_passes_a_door_of_an_account_whose_agent_another_agent_holds() public {
        accountHolds(nested);
    }

    function accountHolds(Subject memory x) private {
        AgentAccount account = x.p.account;
        address[] memory keys = list_(x.p.key, x.otherKey);
        door(
            "AgentAccount.execute",
            address(account),
            abi.encodeCall(account.execute, (address(usdc), 0, abi.encodeCall(usdc.transfer, (SHOP, 1e6)), 0)),
            abi.encodeWithSelector(AgentAccount.NotAccountOwner.selector, WHO),
            one(x.p.owner)
        );
        bytes memory notLive = abi.encodeWithSelector(SpendPolicy.KeyNotLive.selector, x.p.id, WHO);
        door(
            "AgentAccount.spend",
            address(account),
            abi.encodeCall(account.spend, (address(usdc), SHOP, 1e6, "ref")),
            notLive,
            keys
        );
        door(
            "AgentAccount.authorizePayment",
            address(account),
            abi.encodeCall(account.authorizePayment, (address(usdc), SHOP, 1e6, 0, block.timestamp + 60, "n", "")),
            notLive,
            keys
        );
        settlementsDoorHolds(x, notLive, keys);
    }

    function settlementsDoorHolds(Subject memory x, bytes memory notLive, address[] memory keys) private {
        AgentAccount account = x.p.account;
        bytes memory notSettlement = abi.encodeWithSelector(SpendPolicy.NotSettlement.selector, WHO);
        uint256 lot = assets.mint(address(account));
        list(x.p, address(assets), lot);
        IAgentAccount.Trade memory trade =
            IAgentAccount.Trade(x.p.key, address(other.account), address(usdc), 10e6, RWA);
        bytes memory call = abi.encodeCall(account.payDeal, (trade, 1e6, TREASURY));
        door("AgentAccount.payDeal", address(account), call, notSettlement, one(address(settlement)));
        call = abi.encodeCall(account.deliverDeal, (trade, address(assets), lot, true));
        door("AgentAccount.deliverDeal", address(account), call, notSettlement, one(address(settlement)));
        trade.key = WHO;
        call = abi.encodeCall(account.payDeal, (trade, 1e6, TREASURY));
        named("AgentAccount.payDeal", address(settlement), address(account), call, notLive, keys);
        call = abi.encodeCall(account.deliverDeal, (trade, address(assets), lot, true));
        named("AgentAccount.deliverDeal", address(settlement), address(account), call, notLive, keys);
    }

    function test_nobody_else_speaks_for_an_account() public {
        for (uint256 i; i < cast.length; ++i) {
            address who = cast[i].who;
            bool ofPlain = plain.p.account.isValidSigner(who, "") != 0;
            bool ofNested = nested.p.account.isValidSigner(who, "") != 0;
            require(ofPlain == (who == plain.p.owner), cast[i].name);
            require(ofNested == (who == nested.p.owner), cast[i].name);
        }
    }

    function test_an_account_refuses_its_own_agent_from_the_agents_token_alone() public {
        AgentAccount account = plain.p.account;
        for (uint256 i; i < cast.length; ++i) {
            vm.prank(cast[i].who, address(nft));
            (bool taken,) =
                address(account).call(abi.encodeCall(account.onERC721Received, (SHOP, SHOP, plain.p.id, "")));
            require(taken == (cast[i].who != address(nft)), cast[i].name);
        }
    }

    function test_an_agent_pays_whoever_sent_the_transaction_and_though_its_account_is_a_key_of_its_own() public {
        vm.prank(plain.p.owner);
        policy.grantKey(plain.p.id, address(plain.p.account), FAR);
        vm.prank(plain.p.key, SHOP);
        plain.p.account.spend(address(usdc), SHOP, 1e6, "");
        require(usdc.balanceOf(SHOP) == 1e6, "paid");
    }

    function test_nobody_else_mints_nor_moves_the_place_of_the_metadata() public {
        door(
            "AgentNFT.mint",
            address(nft),
            abi.encodeCall(nft.mint, (order(STRANGER, STRANGER, terms(BUY), caps(1)))),
            lacks(Roles.MINTER),
            one(MINTER)
        );
        door("AgentNFT.setBaseURI", address(nft), abi.encodeCall(nft.setBaseURI, ("x")), lacks(Roles.MINTER), one(MINTER));
    }

    function test_only_the_owner_binds_an_agent_to_another_policy_and_only_the_admin_admits_one() public {
        SpendPolicy newer = new SpendPolicy(address(this), address(manager));
        newer.bind(nft, address(settlement), address(certificates));
        bytes memory call = abi.encodeCall(nft.admitPolicy, (newer));
        door("AgentNFT.admitPolicy", address(nft), call, lacks(Roles.ADMIN), one(address(this)));
        nft.admitPolicy(newer);
        Subject[2] memory both = [plain, nested];
        for (uint256 i; i < 2; ++i) {
            call = abi.encodeCall(nft.bindPolicy, (both[i].p.id, newer));
            bytes memory refusal = abi.encodeWithSelector(AgentNFT.NotAgentOwner.selector, both[i].p.id, WHO);
            door("AgentNFT.bindPolicy", address(nft), call, refusal, one(both[i].p.owner));
            // The account turns when the token says so: not even its owner does it past the token.
            AgentAccount account = both[i].p.account;
            call = abi.encodeCall(account.bindPolicy, (newer));
            refusal = abi.encodeWithSelector(AgentAccount.NotAgentToken.selector, WHO);
            door("AgentAccount.bindPolicy", address(account), call, refusal, one(address(nft)));
        }
    }

    function test_only_the_owner_and_whom_the_owner_approved_describe_and_move_an_agent() public {
        Subject[2] memory both = [plain, nested];
        for (uint256 i; i < 2; ++i) {
            (uint256 id, address owner) = (both[i].p.id, both[i].p.owner);
            address[] memory near = list_(owner, APPROVED, OPERATOR);
            bytes memory refusal = abi.encodeWithSignature("ERC721InsufficientApproval(address,uint256)", WHO, id);
            address to = address(nft);
            door("AgentNFT.setAgentURI", to, abi.encodeCall(nft.setAgentURI, (id, "x")), refusal, near);
            door("AgentNFT.setMetadata", to, abi.encodeCall(nft.setMetadata, (id, "k", "v")), refusal, near);
            door("AgentNFT.transferFrom", to, abi.encodeCall(nft.transferFrom, (owner, SHOP, id)), refusal, near);
            door(
                "AgentNFT.safeTransferFrom/3",
                to,
                abi.encodeWithSignature("safeTransferFrom(address,address,uint256)", owner, SHOP, id),
                refusal,
                near
            );
            door(
                "AgentNFT.safeTransferFrom/4",
                to,
                abi.encodeWithSignature("safeTransferFrom(address,address,uint256,bytes)", owner, SHOP, id, "x"),
                refusal,
                near
            );
            door(
                "AgentNFT.approve",
                to,
                abi.encodeCall(nft.approve, (SHOP, id)),
                abi.encodeWithSignature("ERC721InvalidApprover(address)", WHO),
                list_(owner, OPERATOR)
            );
        }
    }
}
