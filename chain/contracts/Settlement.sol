// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ERC165Checker} from "@openzeppelin/contracts/utils/introspection/ERC165Checker.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IAgentAccount} from "./interfaces/IAgentAccount.sol";
import {IAgentNFT} from "./interfaces/IAgentNFT.sol";

/**
 * @dev Settles a deal between two agents: the asset one way and the money, less the platform's fee, the other, or
 * nothing. Anyone may send a deal that both session keys have signed; what the keys may do is the policy's to say.
 *
 * The sale of a name is a deal of another type: each side pays a fee on it, and signs that it is one.
 *
 * The asset lies in the seller's account, or with the wallet that owns the seller and has approved this contract for
 * that one token. An approval of that kind ends with the transfer it was given for.
 */
contract Settlement is EIP712, ReentrancyGuardTransient {
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
    }

    bytes32 private constant DEAL_TYPEHASH = keccak256(
        "Deal(bytes32 dealId,address seller,address buyer,address asset,uint256 tokenId,address token,uint128 price,uint8 category,uint48 deadline)"
    );
    bytes32 private constant NAME_DEAL_TYPEHASH = keccak256(
        "NameDeal(bytes32 dealId,address seller,address buyer,address asset,uint256 tokenId,address token,uint128 price,uint8 category,uint48 deadline)"
    );
    uint256 private constant BASIS_POINTS = 10_000;

    /// @dev The platform's share of the price, from the seller's proceeds, rounded down.
    uint256 public constant FEE_BPS = 200;
    /// @dev Its share of a name's price, from the seller's proceeds and once more on top from the buyer, each rounded down.
    uint256 public constant NAME_FEE_BPS = 250;
    IAgentNFT public immutable NFT;
    address public immutable TREASURY;

    /// @dev When a deal was settled, unix seconds; zero when it was not.
    mapping(bytes32 dealId => uint48) public settledAt;

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

    /// @dev A deal is settled once.
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
    /// @dev The asset did not end with the buyer.
    error AssetNotDelivered(address asset, uint256 tokenId, address holder);

    constructor(IAgentNFT nft, address treasury) EIP712("SafeHandshakeSettlement", "1") {
        NFT = nft;
        TREASURY = treasury;
    }

    /// @dev Settles the deal as a whole or reverts with the refusal of the contract that refused.
    function settle(
        Deal calldata deal,
        address sellerKey,
        bytes calldata sellerSignature,
        address buyerKey,
        bytes calldata buyerSignature
    ) external nonReentrant {
        _open(deal);
        bytes32 digest = hashDeal(deal);
        _checkSignature(deal.dealId, digest, sellerKey, sellerSignature);
        _checkSignature(deal.dealId, digest, buyerKey, buyerSignature);
        _settle(deal, sellerKey, buyerKey, deal.price, feeOf(deal.price));
    }

    /// @dev {settle} for a name: the buyer pays the price and its fee, the seller gets the price less its own.
    function settleName(
        Deal calldata deal,
        address sellerKey,
        bytes calldata sellerSignature,
        address buyerKey,
        bytes calldata buyerSignature
    ) external nonReentrant {
        _open(deal);
        bytes32 digest = hashNameDeal(deal);
        _checkSignature(deal.dealId, digest, sellerKey, sellerSignature);
        _checkSignature(deal.dealId, digest, buyerKey, buyerSignature);
        uint256 side = nameFeeOf(deal.price);
        _settle(deal, sellerKey, buyerKey, deal.price + side, 2 * side);
    }

    /// @dev The EIP-712 digest that both session keys sign.
    function hashDeal(Deal calldata deal) public view returns (bytes32) {
        return _hashTypedDataV4(keccak256(abi.encode(DEAL_TYPEHASH, deal)));
    }

    /// @dev The EIP-712 digest that both session keys sign for the sale of a name.
    function hashNameDeal(Deal calldata deal) public view returns (bytes32) {
        return _hashTypedDataV4(keccak256(abi.encode(NAME_DEAL_TYPEHASH, deal)));
    }

    /// @dev The platform's share of a price.
    function feeOf(uint256 price) public pure returns (uint256) {
        return price * FEE_BPS / BASIS_POINTS;
    }

    /// @dev What each side of a name's sale pays to the platform.
    function nameFeeOf(uint256 price) public pure returns (uint256) {
        return price * NAME_FEE_BPS / BASIS_POINTS;
    }

    /// @dev What is refused before any signature is looked at.
    function _open(Deal calldata deal) private view {
        if (settledAt[deal.dealId] != 0) revert DealAlreadySettled(deal.dealId);
        if (block.timestamp > deal.deadline) revert DealExpired(deal.dealId, deal.deadline);
        if (deal.seller == deal.buyer) revert SameParty(deal.seller);
    }

    /// @dev The asset one way; of what the buyer pays, the fee to the treasury and the rest to the seller.
    function _settle(Deal calldata deal, address sellerKey, address buyerKey, uint256 paid, uint256 fee) private {
        settledAt[deal.dealId] = uint48(block.timestamp);

        _agentOf(deal.buyer);
        _deliver(deal, _agentOf(deal.seller), sellerKey);
        IAgentAccount(deal.buyer).payDeal(_trade(deal, buyerKey, deal.seller, paid), fee, TREASURY);

        // Asked last, when neither the asset nor the token can run again.
        address holder = IERC721(deal.asset).ownerOf(deal.tokenId);
        if (holder != deal.buyer) revert AssetNotDelivered(deal.asset, deal.tokenId, holder);
        _announce(deal, fee);
    }

    /// @dev The seller's account checks the sale and hands over what it holds; else the owner's wallet gives it.
    function _deliver(Deal calldata deal, uint256 sellerId, address sellerKey) private {
        if (!ERC165Checker.supportsInterface(deal.asset, type(IERC721).interfaceId)) {
            revert AssetNotERC721(deal.asset);
        }
        if (deal.asset == address(NFT) && deal.tokenId == sellerId) revert AgentSellsItself(sellerId);
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
        return IAgentAccount.Trade(deal.dealId, key, other, deal.token, amount, deal.category);
    }

    function _checkSignature(bytes32 dealId, bytes32 digest, address key, bytes calldata signature) private pure {
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecover(digest, signature);
        if (failure != ECDSA.RecoverError.NoError || signer != key) revert BadDealSignature(dealId, key);
    }
}
