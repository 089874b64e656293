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

    /// @dev The buyer's side of a deal.
    struct Purchase {
        address key;
        address token;
        address seller;
        uint256 price; // all that the buyer pays
        uint8 category; // as the keys named it: the chain does not know what an asset is
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

    /// @dev The settlement of an agent: the policy's own until its owner binds it to another one.
    struct Binding {
        address settlement;
        uint32 count; // moves with every binding, so that listings and words of an earlier one never come back
    }

    /// @notice Sets the first mandate and session key of an agent. Only the agents' token, while minting.
    /// @param agentId the agent
    /// @param account its canonical account, the only caller that may book for it
    /// @param terms the mandate without its amounts
    /// @param caps one entry a token
    /// @param allow counterparties named as allowed
    /// @param deny counterparties named as denied
    /// @param key the first session key
    /// @param keyValidUntil unix seconds
    function initialise(
        uint256 agentId,
        address account,
        Terms calldata terms,
        TokenCap[] calldata caps,
        address[] calldata allow,
        address[] calldata deny,
        address key,
        uint48 keyValidUntil
    ) external;

    /// @notice Ends the session keys, the listings and the owner's pause of an agent that has changed hands. Only the
    /// agents' token.
    /// @param agentId the agent
    /// @param account its account
    /// @param epoch the epoch that begins
    function beginEpoch(uint256 agentId, address account, uint32 epoch) external;

    /// @notice Takes over an agent whose owner has bound it to this policy. Only the agents' token. Its keys may do
    /// nothing here until the owner sets a mandate and grants keys under this policy.
    /// @param agentId the agent
    /// @param account its account
    /// @param epoch its present epoch
    /// @param former the policy that it leaves, whose word on what was spent counts here
    function adopt(uint256 agentId, address account, uint32 epoch, ISpendPolicy former) external;

    /// @notice Books a payment outside any deal. Only the agent's account.
    /// @param agentId the agent
    /// @param key the session key that pays
    /// @param token the ERC-20
    /// @param to the payee
    /// @param amount in the token's smallest unit
    /// @return stamp the epoch and mandate version it was booked under
    function bookPayment(uint256 agentId, address key, address token, address to, uint256 amount)
        external
        returns (uint64 stamp);

    /// @notice Books the buyer's side of a deal. Only the agent's account.
    /// @param agentId the buyer
    /// @param by who came to the account's settlement door
    /// @param purchase what is paid, to whom, and by which key
    function bookPurchase(uint256 agentId, address by, Purchase calldata purchase) external;

    /// @notice Uses up the listing of what is sold; reverts unless the agent may sell so now. Only the agent's account.
    /// @param agentId the seller
    /// @param by who came to the account's settlement door
    /// @param sale what is sold, to whom and for how much
    function bookSale(uint256 agentId, address by, Sale calldata sale) external;

    /// @notice What the session keys of an agent have spent that still counts, under this policy and those it was bound
    /// to before.
    /// @param agentId the agent
    /// @param token the ERC-20
    /// @return day in the last 24 hours, in the token's smallest unit
    /// @return week in the last 7 days
    /// @return month in this UTC calendar month
    function spentOf(uint256 agentId, address token) external view returns (uint256 day, uint256 week, uint256 month);

    /// @notice When the guardian's last stop of this agent ends or ended, unix seconds; zero when there was none.
    /// @param agentId the agent
    /// @return in the future while it is stopped
    function guardianPauseOf(uint256 agentId) external view returns (uint256);

    /// @notice Epoch and mandate version in one word: moves with every transfer and every new mandate.
    /// @param agentId the agent
    /// @return the stamp
    function stampOf(uint256 agentId) external view returns (uint64);

    /// @notice Whether the key could act now: granted in this epoch, in time, not paused, mandate active.
    /// @param agentId the agent
    /// @param key the session key
    /// @return whether it could
    function keyIsLive(uint256 agentId, address key) external view returns (bool);

    /// @notice The only caller of the settlement door of accounts whose owner has bound no other settlement.
    /// @return the contract
    function settlement() external view returns (address);

    /// @notice The settlement whose deals an agent takes, and how often its owners have bound it to another one.
    /// @param agentId the agent
    /// @return the settlement, and the count of bindings, zero for the policy's own
    function settlementOf(uint256 agentId) external view returns (Binding memory);

    /// @notice The certificates of real-world lots, whose departures an account counts as its own.
    /// @return the contract
    function certificates() external view returns (address);
}
