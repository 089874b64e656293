// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev What the accounts, the agents' token and the settlement ask of the policy.
interface ISpendPolicy {
    /// @dev What an agent may do with one token. Amounts in the token's smallest unit.
    struct TokenCap {
        address token;
        uint128 perDeal; // 0: the token is not allowed
        uint128 dayCap; // in any 24 hours; 0: no such cap
        uint128 weekCap; // in any 7 days; 0: no such cap
        uint128 monthCap; // in a UTC calendar month; 0: no such cap
        uint128 totalCap; // under this mandate; 0: no such cap
        uint128 minPrice; // the lowest price of a sale; 0: none
    }

    /// @dev The rest of a mandate, as far as a chain can hold an agent to it. Times in unix seconds.
    struct Terms {
        bytes32 mandateHash;
        uint48 validAfter;
        uint48 expiry;
        uint8 sides; // bit 0 buy, bit 1 sell
        bool allowlistOnly;
        uint256 categories; // bitmap; 0: any
    }

    /// @dev The seller's side of a deal.
    struct Sale {
        address key;
        address asset;
        uint256 tokenId;
        address buyer;
        address token;
        uint256 price;
        uint8 category;
    }

    /// @dev What is left of each limit; the largest word where there is no such cap.
    struct Limits {
        uint256 perDeal;
        uint256 day;
        uint256 week;
        uint256 month;
        uint256 total;
        uint256 spendable; // the most that one payment may carry now
    }

    /// @dev Sets the first mandate and session key of an agent. Only the agents' token, while minting.
    function initialise(
        uint256 agentId,
        Terms calldata terms,
        TokenCap[] calldata caps,
        address[] calldata allow,
        address[] calldata deny,
        address key,
        uint48 keyValidUntil
    ) external;

    /// @dev Books a payment outside any deal. Only the agent's account. Returns the stamp it was booked under.
    function bookPayment(uint256 agentId, address key, address token, address to, uint256 amount)
        external
        returns (uint64 stamp);

    /// @dev Books the buyer's side of a deal. Only the agent's account.
    function bookPurchase(uint256 agentId, address key, address token, address seller, uint256 price, uint8 category)
        external;

    /// @dev Uses up the listing of what is sold; reverts unless the agent may sell so now. Only the agent's account.
    function bookSale(uint256 agentId, Sale calldata sale) external;

    /// @dev Epoch and mandate version in one word: moves with every transfer and every new mandate.
    function stampOf(uint256 agentId) external view returns (uint64);

    /// @dev Whether the key could act now: granted in this epoch, in time, not paused, mandate active.
    function keyIsLive(uint256 agentId, address key) external view returns (bool);

    /// @dev The only caller of the accounts' settlement door.
    function settlement() external view returns (address);
}
