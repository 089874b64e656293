// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ERC165Checker} from "@openzeppelin/contracts/utils/introspection/ERC165Checker.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Managed} from "./access/Managed.sol";
import {Roles} from "./access/Roles.sol";
import {IAgentAccount} from "./interfaces/IAgentAccount.sol";
import {IAgentNFT} from "./interfaces/IAgentNFT.sol";
import {ISettlement} from "./interfaces/ISettlement.sol";

/**
 * @title Settlement of deals between agents
 * @notice The asset goes one way and the money, less the platform's fee, the other, or nothing does. Anyone may send a
 * deal that both session keys have signed; what the keys may do is the policy's to say.
 *
 * @dev The sale of a name is a deal of another type: each side pays a fee on it, and signs that it is one.
 *
 * The asset lies in the seller's account, or with the wallet that owns the seller and has approved this contract for
 * that one token. An approval of that kind ends with the transfer it was given for.
 *
 * Fees go to a vault, never to a person's wallet. The admin may name another vault, which counts two days later.
 *
 * An agent is sold as it was quoted: the deal names the `state()` of its account, and is refused when that has moved.
 */
contract Settlement is ISettlement, EIP712, ReentrancyGuardTransient, Managed {
    /// @notice What both session keys sign.
    struct Deal {
        bytes32 dealId;
        address seller; // the agents' accounts
        address buyer;
        address asset; // ERC-721
        uint256 tokenId;
        address token; // ERC-20
        uint128 price;
        uint8 category;
        uint48 deadline;
        uint256 state; // of the agent that is sold, as it was quoted; zero for any other asset
    }

    /// @notice A vault that waits.
    struct NextVault {
        address vault;
        uint48 from;
    }

    /// @notice A deal, whether it is the sale of a name, and both signatures.
    struct Signed {
        Deal deal;
        bool isName;
        address sellerKey;
        bytes sellerSignature;
        address buyerKey;
        bytes buyerSignature;
    }

    bytes32 private constant DEAL_TYPEHASH = keccak256(
        "Deal(bytes32 dealId,address seller,address buyer,address asset,uint256 tokenId,address token,uint128 price,uint8 category,uint48 deadline,uint256 state)"
    );
    bytes32 private constant NAME_DEAL_TYPEHASH = keccak256(
        "NameDeal(bytes32 dealId,address seller,address buyer,address asset,uint256 tokenId,address token,uint128 price,uint8 category,uint48 deadline,uint256 state)"
    );
    uint256 private constant BASIS_POINTS = 10_000;
    /// @dev How much of a refusal {settleMany} repeats.
    uint256 private constant MAX_REASON = 256;

    /// @notice The platform's share of the price, from the seller's proceeds, rounded down.
    uint256 public constant FEE_BPS = 200;
    /// @notice Its share of a name's price, from the seller's proceeds and once more on top from the buyer, each rounded down.
    uint256 public constant NAME_FEE_BPS = 250;
    /// @notice The most deals that {settleMany} takes.
    uint256 public constant MAX_DEALS = 20;
    /// @notice What each deal of {settleMany} may burn: a hostile one costs its sender so much and no other deal anything.
    uint256 public constant DEAL_GAS = 600_000;
    /// @notice The agents' token.
    IAgentNFT public immutable NFT;
    /// @notice How long another vault waits before it counts.
    uint256 public constant VAULT_DELAY = 2 days;

    /// @notice Where the fees go.
    address public vault;
    /// @notice The vault that waits, and from when it may be taken into use, unix seconds; zero when none waits.
    NextVault public nextVault;

    /// @inheritdoc ISettlement
    address public transient receiver;

    /// @dev By {dealKey}: a deal id is known to both sides and to whoever they tell, and belongs to one pair alone.
    mapping(bytes32 dealKey => uint48) private _settledAt;

    /// @notice A deal was settled.
    event DealSettled(
        bytes32 indexed dealId,
        address indexed seller,
        address indexed buyer,
        address asset,
        uint256 tokenId,
        address token,
        uint256 price,
        uint256 fee
    );
    /// @notice A vault waits; the zero address: none does.
    event VaultProposed(address indexed vault, uint256 from);
    /// @notice Fees go to another vault.
    event VaultChanged(address indexed vault);
    /// @notice A deal of {settleMany} was refused.
    event DealFailed(bytes32 indexed dealId, address indexed seller, address indexed buyer, bytes reason);

    /// @dev A deal is settled once between its two sides.
    error DealAlreadySettled(bytes32 dealId);
    /// @dev The deal came after its deadline.
    error DealExpired(bytes32 dealId, uint48 deadline);
    /// @dev Nobody deals with itself.
    error SameParty(address account);
    /// @dev Not the canonical account of an agent.
    error NotAgent(address account);
    /// @dev The signature is not that key's over this deal.
    error BadDealSignature(bytes32 dealId, address key);
    /// @dev The asset is not an ERC-721 token.
    error AssetNotERC721(address asset);
    /// @dev An agent does not sell itself: the money would go with it.
    error AgentSellsItself(uint256 agentId);
    /// @dev The asset lies neither with the seller's account nor with the seller's owner.
    error AssetNotHeld(address asset, uint256 tokenId, address holder);
    /// @dev The owner has not approved this contract for the token.
    error AssetNotApproved(address asset, uint256 tokenId, address owner);
    /// @dev The agent that is sold is not as it was quoted.
    error AgentMoved(uint256 agentId, uint256 quoted, uint256 state);
    /// @dev Only an agent has a state to quote.
    error StateNotQuotable(address asset);
    /// @dev More deals than {MAX_DEALS}, or none.
    error DealCount(uint256 count);
    /// @dev Too little gas was sent to give every deal its {DEAL_GAS}.
    error GasTooLow(uint256 left);
    /// @dev Only {settleMany} calls this.
    error NotSelf(address caller);
    /// @dev The asset did not end with the buyer.
    error AssetNotDelivered(address asset, uint256 tokenId, address holder);

    /// @dev No vault waits, or not long enough.
    error VaultNotReady(uint256 from);

    /// @param nft the agents' token
    /// @param authority the platform's manager
    /// @param feeVault where the fees go
    constructor(IAgentNFT nft, address authority, address feeVault)
        EIP712("SafeHandshakeSettlement", "1")
        Managed(authority)
    {
        NFT = nft;
        vault = feeVault;
    }

    /// @notice Names the vault that the fees are to go to after {VAULT_DELAY}. Only the admin. The zero address takes a
    /// vault back that waits.
    /// @param next the vault
    function proposeVault(address next) external onlyRole(Roles.ADMIN) {
        uint256 from = next == address(0) ? 0 : block.timestamp + VAULT_DELAY;
        nextVault = NextVault(next, uint48(from));
        emit VaultProposed(next, from);
    }

    /// @notice Takes the vault into use that has waited long enough. Anyone.
    function changeVault() external {
        NextVault memory next = nextVault;
        if (next.from == 0 || block.timestamp < next.from) revert VaultNotReady(next.from);
        delete nextVault;
        vault = next.vault;
        emit VaultChanged(next.vault);
    }

    /// @notice Settles the deal as a whole or reverts with the refusal of the contract that refused.
    /// @param deal what both keys signed
    /// @param sellerKey the seller's session key
    /// @param sellerSignature its EIP-712 signature over {hashDeal}
    /// @param buyerKey the buyer's session key
    /// @param buyerSignature its EIP-712 signature over {hashDeal}
    function settle(
        Deal calldata deal,
        address sellerKey,
        bytes calldata sellerSignature,
        address buyerKey,
        bytes calldata buyerSignature
    ) external nonReentrant {
        bytes32 digest = hashDeal(deal);
        _checkSignature(deal.dealId, digest, sellerKey, sellerSignature);
        _checkSignature(deal.dealId, digest, buyerKey, buyerSignature);
        _settle(deal, sellerKey, buyerKey, false);
    }

    /// @notice {settle} for a name: the buyer pays the price and its fee, the seller gets the price less its own.
    /// @param deal what both keys signed
    /// @param sellerKey the seller's session key
    /// @param sellerSignature its EIP-712 signature over {hashNameDeal}
    /// @param buyerKey the buyer's session key
    /// @param buyerSignature its EIP-712 signature over {hashNameDeal}
    function settleName(
        Deal calldata deal,
        address sellerKey,
        bytes calldata sellerSignature,
        address buyerKey,
        bytes calldata buyerSignature
    ) external nonReentrant {
        bytes32 digest = hashNameDeal(deal);
        _checkSignature(deal.dealId, digest, sellerKey, sellerSignature);
        _checkSignature(deal.dealId, digest, buyerKey, buyerSignature);
        _settle(deal, sellerKey, buyerKey, true);
    }

    /// @notice Settles each deal that can be settled; one that is refused changes nothing and stops no other.
    /// @dev Each deal gets {DEAL_GAS} and no more, so that none starves those after it, and the transaction reverts as a
    /// whole where its sender gave too little gas for that, so that no sender makes a deal fail. A refusal is told by
    /// {DealFailed} with up to 256 bytes of its reason; it leaves the deal to be settled later.
    /// @param deals one to {MAX_DEALS}
    /// @return settled for each deal whether it was settled
    function settleMany(Signed[] calldata deals) external nonReentrant returns (bool[] memory settled) {
        uint256 count = deals.length;
        if (count == 0 || count > MAX_DEALS) revert DealCount(count);
        settled = new bool[](count);
        for (uint256 i; i < count; ++i) {
            Signed calldata signed = deals[i];
            bytes memory call = abi.encodeCall(this.settleOne, (signed));
            // The 64th part that a call leaves behind, and what is needed to tell of a failure.
            if (gasleft() < DEAL_GAS * 64 / 63 + 20_000) revert GasTooLow(gasleft());
            bytes memory reason;
            (settled[i], reason) = _try(call);
            if (!settled[i]) emit DealFailed(signed.deal.dealId, signed.deal.seller, signed.deal.buyer, reason);
        }
    }

    /// @notice One deal of {settleMany}, which alone calls it.
    /// @param signed the deal and its signatures
    function settleOne(Signed calldata signed) external {
        if (msg.sender != address(this)) revert NotSelf(msg.sender);
        Deal calldata deal = signed.deal;
        bytes32 digest = signed.isName ? hashNameDeal(deal) : hashDeal(deal);
        _checkSignature(deal.dealId, digest, signed.sellerKey, signed.sellerSignature);
        _checkSignature(deal.dealId, digest, signed.buyerKey, signed.buyerSignature);
        _settle(deal, signed.sellerKey, signed.buyerKey, signed.isName);
    }

    /// @notice When a deal was settled, unix seconds; zero when it was not.
    /// @param seller the seller's account
    /// @param buyer the buyer's account
    /// @param dealId the id that both signed
    /// @return unix seconds
    function settledAt(address seller, address buyer, bytes32 dealId) external view returns (uint48) {
        return _settledAt[dealKey(seller, buyer, dealId)];
    }

    /// @notice What a settled deal is marked by: nobody but its two sides can use it up.
    /// @param seller the seller's account
    /// @param buyer the buyer's account
    /// @param dealId the id that both signed
    /// @return the key
    function dealKey(address seller, address buyer, bytes32 dealId) public pure returns (bytes32) {
        return keccak256(abi.encode(seller, buyer, dealId));
    }

    /// @notice The EIP-712 digest that both session keys sign.
    /// @param deal the deal
    /// @return the digest
    function hashDeal(Deal calldata deal) public view returns (bytes32) {
        return _hashTypedDataV4(keccak256(abi.encode(DEAL_TYPEHASH, deal)));
    }

    /// @notice The EIP-712 digest that both session keys sign for the sale of a name.
    /// @param deal the deal
    /// @return the digest
    function hashNameDeal(Deal calldata deal) public view returns (bytes32) {
        return _hashTypedDataV4(keccak256(abi.encode(NAME_DEAL_TYPEHASH, deal)));
    }

    /// @notice The platform's share of a price.
    /// @param price in the token's smallest unit
    /// @return in the same unit, rounded down
    function feeOf(uint256 price) public pure returns (uint256) {
        return price * FEE_BPS / BASIS_POINTS;
    }

    /// @notice What each side of a name's sale pays to the platform.
    /// @param price in the token's smallest unit
    /// @return in the same unit, rounded down
    function nameFeeOf(uint256 price) public pure returns (uint256) {
        return price * NAME_FEE_BPS / BASIS_POINTS;
    }

    /// @dev The asset one way; of what the buyer pays, the fee to the vault and the rest to the seller.
    function _settle(Deal calldata deal, address sellerKey, address buyerKey, bool isName) private {
        bytes32 key = dealKey(deal.seller, deal.buyer, deal.dealId);
        if (_settledAt[key] != 0) revert DealAlreadySettled(deal.dealId);
        if (block.timestamp > deal.deadline) revert DealExpired(deal.dealId, deal.deadline);
        if (deal.seller == deal.buyer) revert SameParty(deal.seller);
        _settledAt[key] = uint48(block.timestamp);

        _agentOf(deal.buyer);
        // Of agents alone, whose token runs nobody else's code: no asset brings an agent along.
        if (deal.asset == address(NFT)) receiver = deal.buyer;
        _deliver(deal, _agentOf(deal.seller), sellerKey);
        receiver = address(0);
        (uint256 paid, uint256 fee) = (deal.price, feeOf(deal.price));
        if (isName) (paid, fee) = (paid + nameFeeOf(paid), 2 * nameFeeOf(paid));
        IAgentAccount(deal.buyer).payDeal(_trade(deal, buyerKey, deal.seller, paid), fee, vault);

        // Asked last, when neither the asset nor the token can run again.
        address holder = IERC721(deal.asset).ownerOf(deal.tokenId);
        if (holder != deal.buyer) revert AssetNotDelivered(deal.asset, deal.tokenId, holder);
        _announce(deal, fee);
    }

    /// @dev The seller's account checks the sale and hands over what it holds; else the owner's wallet gives it.
    function _deliver(Deal calldata deal, uint256 sellerId, address sellerKey) private {
        _checkAsset(deal, sellerId);
        address holder = IERC721(deal.asset).ownerOf(deal.tokenId);
        bool held = holder == deal.seller;
        IAgentAccount(deal.seller).deliverDeal(
            _trade(deal, sellerKey, deal.buyer, deal.price), deal.asset, deal.tokenId, held
        );
        if (held) return;
        if (holder != NFT.ownerOf(sellerId)) revert AssetNotHeld(deal.asset, deal.tokenId, holder);
        if (IERC721(deal.asset).getApproved(deal.tokenId) != address(this)) {
            revert AssetNotApproved(deal.asset, deal.tokenId, holder);
        }
        IERC721(deal.asset).transferFrom(holder, deal.buyer, deal.tokenId);
    }

    /// @dev The asset is of a collection; an agent is sold as it was quoted, and by another.
    function _checkAsset(Deal calldata deal, uint256 sellerId) private view {
        if (deal.asset != address(NFT)) {
            if (!ERC165Checker.supportsInterface(deal.asset, type(IERC721).interfaceId)) {
                revert AssetNotERC721(deal.asset);
            }
            if (deal.state != 0) revert StateNotQuotable(deal.asset);
            return;
        }
        if (deal.tokenId == sellerId) revert AgentSellsItself(sellerId);
        uint256 state = IAgentAccount(NFT.accountOf(deal.tokenId)).state();
        if (state != deal.state) revert AgentMoved(deal.tokenId, deal.state, state);
    }

    /// @dev Calls this contract with a fixed gas, and takes no more of a refusal than is told.
    function _try(bytes memory data) private returns (bool success, bytes memory reason) {
        uint256 given = DEAL_GAS;
        uint256 most = MAX_REASON;
        assembly ("memory-safe") {
            success := call(given, address(), 0, add(data, 0x20), mload(data), 0, 0)
            if iszero(success) {
                let size := returndatasize()
                if gt(size, most) { size := most }
                reason := mload(0x40)
                mstore(reason, size)
                returndatacopy(add(reason, 0x20), 0, size)
                mstore(0x40, and(add(add(reason, 0x3f), size), not(0x1f)))
            }
        }
    }

    /// @dev What an account claims to be counts only when the agents' token says the same.
    function _agentOf(address account) private view returns (uint256 agentId) {
        if (account.code.length == 0) revert NotAgent(account);
        (,, agentId) = IAgentAccount(account).token();
        if (NFT.accountOf(agentId) != account) revert NotAgent(account);
    }

    function _announce(Deal calldata deal, uint256 fee) private {
        emit DealSettled(
            deal.dealId, deal.seller, deal.buyer, deal.asset, deal.tokenId, deal.token, deal.price, fee
        );
    }

    function _trade(Deal calldata deal, address key, address other, uint256 amount)
        private
        pure
        returns (IAgentAccount.Trade memory)
    {
        return IAgentAccount.Trade(key, other, deal.token, amount, deal.category);
    }

    function _checkSignature(bytes32 dealId, bytes32 digest, address key, bytes calldata signature) private pure {
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecover(digest, signature);
        if (failure != ECDSA.RecoverError.NoError || signer != key) revert BadDealSignature(dealId, key);
    }
}
