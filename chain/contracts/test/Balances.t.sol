// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISpendPolicy} from "../interfaces/ISpendPolicy.sol";
import {Base} from "./Base.sol";

/// @dev Answers whoever asks for a balance with these very bytes, or refuses with them.
contract WordyToken {
    bytes private answer;
    bool private refuses;
    bool private refusesOncePaid;

    function say(bytes calldata words, bool no) external {
        (answer, refuses) = (words, no);
    }

    function refuseOncePaid(bytes calldata words) external {
        (answer, refusesOncePaid) = (words, true);
    }

    function transfer(address, uint256) external returns (bool) {
        refuses = refusesOncePaid;
        return true;
    }

    function balanceOf(address) external view {
        bytes memory words = answer;
        if (refuses) {
            assembly ("memory-safe") {
                revert(add(words, 0x20), mload(words))
            }
        }
        assembly ("memory-safe") {
            return(add(words, 0x20), mload(words))
        }
    }
}

/// @dev Tells a balance only to whoever asks by the bytes of the standard and not one more.
contract StrictToken {
    mapping(address => uint256) private held;

    function mint(address to, uint256 amount) external {
        held[to] += amount;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        held[msg.sender] -= amount;
        held[to] += amount;
        return true;
    }

    function balanceOf(address holder) external view returns (uint256) {
        require(msg.data.length == 36, "more or less than was asked");
        return held[holder];
    }
}

/// @dev What an account makes of what a token says of balances.
contract BalancesTest is Base {
    function setUp() public {
        deployWithParties();
    }

    function allow(address token) private {
        ISpendPolicy.TokenCap[] memory c = caps(2 ** 40);
        c[0].token = token;
        setMandate(bob, terms(BUY), c);
    }

    function pay(address token) private returns (bool paid, bytes memory answer) {
        return pay(token, 1);
    }

    function pay(address token, uint256 amount) private returns (bool paid, bytes memory answer) {
        vm.prank(bob.key);
        (paid, answer) = address(bob.account).call(abi.encodeCall(bob.account.spend, (token, SHOP, amount, "")));
    }

    function test_a_refusal_to_tell_a_balance_comes_back_word_for_word() public {
        WordyToken token = new WordyToken();
        allow(address(token));
        bytes memory refusal = abi.encodeWithSignature("Error(string)", "no balances are told on Sundays, come again");
        token.say(refusal, true);
        (bool paid, bytes memory answer) = pay(address(token));
        require(!paid && keccak256(answer) == keccak256(refusal), "as the token said it");
    }

    function test_a_refusal_to_tell_a_balance_after_a_payment_comes_back_word_for_word() public {
        WordyToken token = new WordyToken();
        allow(address(token));
        bytes memory refusal = abi.encodeWithSignature("Error(string)", "no balances are told to those who have paid");
        token.refuseOncePaid(bytes.concat(refusal));
        // An amount that leaves its mark in every byte of memory that the transfer went through.
        (bool paid, bytes memory answer) = pay(address(token), 0xffffffffff);
        require(!paid && keccak256(answer) == keccak256(refusal), "as the token said it");
    }

    function test_less_than_a_word_is_no_balance() public {
        WordyToken token = new WordyToken();
        allow(address(token));
        for (uint256 length; length < 32; ++length) {
            token.say(new bytes(length), false);
            (bool paid, bytes memory answer) = pay(address(token));
            require(!paid && answer.length == 0, "refused without a word");
        }
    }

    function test_more_than_a_word_begins_with_the_balance() public {
        WordyToken token = new WordyToken();
        allow(address(token));
        token.say(abi.encode(uint256(7), type(uint256).max), false);
        (bool paid, bytes memory answer) = pay(address(token));
        // It says seven before and after the payment.
        bytes memory refusal = abi.encodeWithSignature(
            "AmountMismatch(address,uint256,uint256,uint256)", address(token), 1, 0, 0
        );
        require(!paid && keccak256(answer) == keccak256(refusal), "nothing moved");
    }

    function test_a_balance_is_asked_for_by_the_bytes_of_the_standard_alone() public {
        StrictToken token = new StrictToken();
        token.mint(address(bob.account), 1);
        allow(address(token));
        (bool paid,) = pay(address(token));
        require(paid && token.balanceOf(SHOP) == 1, "told");
    }
}
