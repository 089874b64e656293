// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OwnerWords} from "./OwnerWords.sol";
import {Mandates} from "./Mandates.sol";

/**
 * @title What an agent may sell
 * @notice Only what its current owner has listed, for no less than the listing's public minimum. A listing is for one
 * sale, and ends with it, with the agent's transfer, and when the owner or the guardian takes it back.
 *
 * @dev The owner lists by a transaction, or by the text that the owner's wallet signed for the service: the text must
 * hold the line that {listingLine} builds, so that what the wallet showed is what the chain checks. The line counts the
 * changes of this listing, so that a text lists once and never after it was taken back. It names this policy and the
 * settlement that the agent is bound to: what was listed for another settlement is not listed for this one.
 *
 * An agent is listed by the same words. Listing it pauses it: its keys stop, so that its owner's sale is not broken by
 * its own payments.
 */
abstract contract AssetListings is Mandates {
    /// @dev In one slot.
    struct Offer {
        address token; // what the asset is sold for; zero: not listed
        uint80 minPrice; // the least it is sold for, in the token's smallest unit
        uint16 changes; // of this listing so far
    }

    /// @notice What an owner offers for sale.
    struct Lot {
        uint256 agentId; // the seller
        address asset; // the collection
        uint256 tokenId; // the token in it
        address token; // the ERC-20 it is sold for
        uint128 minPrice; // the least it is sold for, in the ERC-20's smallest unit
    }

    mapping(bytes32 listing => Offer) private _offers;

    /// @notice An asset was listed, taken back or sold.
    event AssetListed(
        uint256 indexed agentId,
        address indexed asset,
        uint256 indexed tokenId,
        uint32 epoch,
        bool listed,
        address token,
        uint256 minPrice
    );

    /// @dev The agent's current owner has not listed the asset for this token, or it was sold since.
    error AssetNotListed(uint256 agentId, address asset, uint256 tokenId);
    /// @dev The price is below the listing's public minimum.
    error BelowListingMinimum(uint256 agentId, address asset, uint256 tokenId, uint256 price, uint256 minPrice);
    /// @dev A listing names a token and a minimum above zero.
    error MinimumMissing();
    /// @dev The line that lists the asset does not stand on a line of its own in the text.
    error LineNotApart();

    /// @notice Lists an asset. Only the owner of the agent that sells it.
    /// @param lot what is offered
    function list(Lot calldata lot) external onlyOwner(lot.agentId) {
        _list(lot);
    }

    /// @notice Takes a listing back. The owner or the guardian. Texts signed for the listing end with it.
    /// @param agentId the seller
    /// @param asset the collection
    /// @param tokenId the token in it
    function delist(uint256 agentId, address asset, uint256 tokenId) external {
        _requireOwnerOrGuardian(agentId);
        uint32 epoch = _epochOf(agentId);
        bytes32 listing = _listing(agentId, epoch, _bindingNow(agentId).count, asset, tokenId);
        _offers[listing] = Offer(address(0), 0, _offers[listing].changes + 1);
        emit AssetListed(agentId, asset, tokenId, epoch, false, address(0), 0);
    }

    /// @notice Lists an asset by the owner's EIP-191 signature (or ERC-1271) over a text. Anyone may send it, once.
    /// @dev The text is the first string, the line of {listingLine} for the present epoch, and the second string; the
    /// bytes are the owner's signature. {OwnerWords} reads them.
    /// @param lot what is offered
    /// @param deadline unix seconds
    function listByMessage(
        Lot calldata lot,
        uint48 deadline,
        string calldata,
        string calldata,
        bytes calldata
    ) external {
        if (block.timestamp > deadline) revert SignatureExpired(deadline);
        if (!_isSigned(lot)) revert BadOwnerSignature(lot.agentId);
        _list(lot);
    }

    /// @notice What an agent offers now.
    /// @param agentId the seller
    /// @param asset the collection
    /// @param tokenId the token in it
    /// @return the offer; its token is zero where the asset is not listed
    function offerOf(uint256 agentId, address asset, uint256 tokenId) external view returns (Offer memory) {
        return _offers[_listing(agentId, _epochOf(agentId), _bindingNow(agentId).count, asset, tokenId)];
    }

    /// @notice The words by which an owner lists an asset now: addresses in lower case, amounts in the token's smallest
    /// unit, the time in unix seconds. They change with every change of the listing and with every transfer of the agent.
    /// @param lot what is offered
    /// @param deadline until when the text counts
    /// @return letter for letter what has to be signed
    function listingLine(Lot calldata lot, uint48 deadline) external view returns (string memory) {
        return WORDS.line(lot, _placeOf(lot), deadline);
    }

    /// @dev A sale uses its listing up.
    function _useListing(uint256 agentId, uint32 epoch, uint32 binding, Sale calldata sale) internal {
        bytes32 listing = _listing(agentId, epoch, binding, sale.asset, sale.tokenId);
        Offer memory offer = _offers[listing];
        if (offer.token == address(0) || offer.token != sale.token) {
            revert AssetNotListed(agentId, sale.asset, sale.tokenId);
        }
        if (sale.price < offer.minPrice) {
            revert BelowListingMinimum(agentId, sale.asset, sale.tokenId, sale.price, offer.minPrice);
        }
        _offers[listing] = Offer(address(0), 0, offer.changes + 1);
        emit AssetListed(agentId, sale.asset, sale.tokenId, epoch, false, address(0), 0);
    }

    function _list(Lot calldata lot) private {
        if (lot.token == address(0) || lot.minPrice == 0) revert MinimumMissing();
        if (lot.asset == address(nft)) _pauseListed(lot.agentId, lot.tokenId);
        uint32 epoch = _epochOf(lot.agentId);
        bytes32 listing = _listing(lot.agentId, epoch, _bindingNow(lot.agentId).count, lot.asset, lot.tokenId);
        _offers[listing] = Offer(lot.token, _amount(lot.token, lot.minPrice), _offers[listing].changes + 1);
        emit AssetListed(lot.agentId, lot.asset, lot.tokenId, epoch, true, lot.token, lot.minPrice);
    }

    /// @dev The seller's owner controls the agent that is sold: as its owner, or through the seller's account.
    function _pauseListed(uint256 agentId, uint256 listedId) private {
        address holder = _ownerOf(listedId);
        if (holder != _ownerOf(agentId) && holder != _accountOf(agentId)) revert NotOwner(listedId, msg.sender);
        ++nonces[listedId];
        _setPaused(listedId, true);
    }

    function _bindingNow(uint256 agentId) private view returns (Binding memory) {
        return _bindingOf(agentId, _accountOf(agentId));
    }

    /// @dev Hands the call on as it came, with the owner and the place behind it.
    function _isSigned(Lot calldata lot) private view returns (bool) {
        bytes memory behind = abi.encode(_ownerOf(lot.agentId), _placeOf(lot));
        return abi.decode(_ask(bytes.concat(msg.data, behind)), (bool));
    }

    function _placeOf(Lot calldata lot) private view returns (OwnerWords.Place memory) {
        uint32 epoch = _epochOf(lot.agentId);
        Binding memory binding = _bindingNow(lot.agentId);
        bytes32 listing = _listing(lot.agentId, epoch, binding.count, lot.asset, lot.tokenId);
        return OwnerWords.Place(
            address(nft), binding.settlement, epoch, binding.count, _offers[listing].changes
        );
    }

    /// @dev Epoch and binding are in the key: what was listed by a former owner or for a former settlement is out of
    /// reach.
    function _listing(uint256 agentId, uint32 epoch, uint32 binding, address asset, uint256 tokenId)
        private
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(agentId, epoch, binding, asset, tokenId));
    }
}
