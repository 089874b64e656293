// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IAgentNFT} from "./interfaces/IAgentNFT.sol";

/**
 * @dev Certificates of real-world lots: each stands for one serial, so that it can be listed, pledged and settled like
 * any token. No chain knows where a thing lies. A certificate says that its first holder signed to control it, and
 * nothing more.
 *
 * A serial has one live certificate. It is retired by whoever controls it, or by an issuer who gives the reason; then
 * the serial may be certified again, under a new token. Which token that will be is known before it is issued, so that
 * an owner can sign what it is to be used for.
 */
contract Certificates is ERC721, EIP712, AccessControlDefaultAdminRules, IERC4906 {
    bytes32 public constant ISSUER_ROLE = keccak256("ISSUER_ROLE");
    bytes32 private constant TRANSFER_TYPEHASH =
        keccak256("Transfer(uint256 tokenId,address from,address to,uint256 nonce,uint256 deadline)");
    uint256 private constant MAX_SERIAL_LENGTH = 128;
    /// @dev Agents that own agents are followed so far.
    uint256 private constant MAX_DEPTH = 8;
    /// @dev An ERC-6551 proxy: 45 bytes of ERC-1167, then salt, chain, contract and token id.
    uint256 private constant PROXY_LENGTH = 173;

    IAgentNFT public immutable NFT;
    /// @dev May be approved for a token at its issue, and for no other.
    address public immutable SETTLEMENT;

    /// @dev What metadata URIs begin with; the token id follows.
    string public baseURI;
    /// @dev The live certificate of a serial, by the hash of its key; zero when there is none.
    mapping(bytes32 serialHash => uint256) public certificateOf;
    /// @dev How often a serial was certified.
    mapping(bytes32 serialHash => uint256) public issuedOf;
    /// @dev Moves with the issue, with every transfer and with the end, so that a signature counts once.
    mapping(uint256 tokenId => uint256) public nonces;
    /// @dev Kept after the end: a token never stands for another serial.
    mapping(uint256 tokenId => string) private _serials;

    event CertificateIssued(
        uint256 indexed tokenId, bytes32 indexed serialHash, address indexed to, string serial, bool approved
    );
    event CertificateRetired(uint256 indexed tokenId, bytes32 indexed serialHash, address indexed by, string reason);

    /// @dev The serial has a live certificate.
    error SerialCertified(bytes32 serialHash, uint256 tokenId);
    /// @dev A serial's key has 1 to 128 bytes.
    error SerialLength(uint256 length);
    /// @dev No certificate has this number, or ever had.
    error NoCertificate(uint256 tokenId);
    /// @dev Neither the holder nor the wallet that controls the holder, nor an issuer.
    error NotController(uint256 tokenId, address caller);
    /// @dev An issuer who ends another's certificate says why.
    error ReasonMissing(uint256 tokenId);
    /// @dev The signature is not the controlling wallet's over this transfer and the present nonce.
    error BadTransferSignature(uint256 tokenId, address controller);
    /// @dev The signature came after its deadline.
    error TransferExpired(uint256 tokenId, uint256 deadline);
    /// @dev Too many agents own one another to say who controls the certificate.
    error ControllerUnknown(uint256 tokenId);

    constructor(address admin, address issuer, IAgentNFT nft, address settlement)
        ERC721("Safe Handshake Certificate", "LOT")
        EIP712("SafeHandshakeCertificates", "1")
        AccessControlDefaultAdminRules(1 days, admin)
    {
        NFT = nft;
        SETTLEMENT = settlement;
        _grantRole(ISSUER_ROLE, issuer);
    }

    /**
     * @dev Certifies a serial by its asset key, such as `serial:vin:1HGCM82633A004352`; how it is spelled is the
     * issuer's to hold to. With `approve` the settlement may take this one token, as a holder's own wallet must allow
     * for a sale it has signed; like every approval it ends with the first transfer.
     */
    function issue(address to, string calldata serial, bool approve)
        external
        onlyRole(ISSUER_ROLE)
        returns (uint256 tokenId)
    {
        if (bytes(serial).length == 0 || bytes(serial).length > MAX_SERIAL_LENGTH) {
            revert SerialLength(bytes(serial).length);
        }
        bytes32 serialHash = keccak256(bytes(serial));
        if (certificateOf[serialHash] != 0) revert SerialCertified(serialHash, certificateOf[serialHash]);
        tokenId = nextCertificateOf(serialHash);
        ++issuedOf[serialHash];
        certificateOf[serialHash] = tokenId;
        _serials[tokenId] = serial;
        // No receiver's callback: a holder can neither block nor re-enter an issue.
        _mint(to, tokenId);
        if (approve) _approve(SETTLEMENT, tokenId, address(0));
        emit CertificateIssued(tokenId, serialHash, to, serial, approve);
    }

    /// @dev Ends a certificate. Its holder and the wallet that controls the holder need no reason, an issuer does.
    function retire(uint256 tokenId, string calldata reason) external {
        if (msg.sender != _requireOwned(tokenId) && msg.sender != controllerOf(tokenId)) {
            if (!hasRole(ISSUER_ROLE, msg.sender)) revert NotController(tokenId, msg.sender);
            if (bytes(reason).length == 0) revert ReasonMissing(tokenId);
        }
        bytes32 serialHash = keccak256(bytes(_serials[tokenId]));
        delete certificateOf[serialHash];
        _burn(tokenId);
        emit CertificateRetired(tokenId, serialHash, msg.sender, reason);
    }

    /**
     * @dev Transfers a certificate for whoever controls it, by their EIP-712 signature (a key's, or a contract wallet's
     * by ERC-1271): the holder, or the owner of the agent whose account holds it. Anyone may send it. It names the
     * present holder and the present nonce, so that it ends with any other transfer.
     */
    function transferBySig(uint256 tokenId, address to, uint256 deadline, bytes calldata signature) external {
        if (block.timestamp > deadline) revert TransferExpired(tokenId, deadline);
        address from = _requireOwned(tokenId);
        address controller = controllerOf(tokenId);
        bytes32 digest = _hashTypedDataV4(
            keccak256(abi.encode(TRANSFER_TYPEHASH, tokenId, from, to, nonces[tokenId], deadline))
        );
        if (!SignatureChecker.isValidSignatureNow(controller, digest, signature)) {
            revert BadTransferSignature(tokenId, controller);
        }
        _transfer(from, to, tokenId);
    }

    /// @dev Where the metadata of all certificates is served.
    function setBaseURI(string calldata uri) external onlyRole(ISSUER_ROLE) {
        baseURI = uri;
        emit BatchMetadataUpdate(0, type(uint256).max);
    }

    /// @dev The number that the next certificate of a serial will have: of the serial and how often it was certified.
    function nextCertificateOf(bytes32 serialHash) public view returns (uint256) {
        return uint128(uint256(keccak256(abi.encode(address(this), serialHash, issuedOf[serialHash]))));
    }

    /// @dev The serial's key that a certificate stands for, or stood for before it was retired.
    function serialOf(uint256 tokenId) public view returns (string memory serial) {
        serial = _serials[tokenId];
        if (bytes(serial).length == 0) revert NoCertificate(tokenId);
    }

    /// @dev Who controls a live certificate: its holder, or the wallet that owns the agent whose account holds it.
    function controllerOf(uint256 tokenId) public view returns (address controller) {
        controller = _requireOwned(tokenId);
        for (uint256 depth; depth < MAX_DEPTH; ++depth) {
            (bool isAgent, uint256 agentId) = _agentOf(controller);
            if (!isAgent) return controller;
            controller = NFT.ownerOf(agentId);
        }
        revert ControllerUnknown(tokenId);
    }

    function supportsInterface(bytes4 interfaceId)
        public
        view
        override(ERC721, AccessControlDefaultAdminRules, IERC165)
        returns (bool)
    {
        // ERC-4906 has no functions of its own: its number is fixed by the standard.
        return interfaceId == bytes4(0x49064906) || ERC721.supportsInterface(interfaceId)
            || AccessControlDefaultAdminRules.supportsInterface(interfaceId);
    }

    function _baseURI() internal view override returns (string memory) {
        return baseURI;
    }

    function _update(address to, uint256 tokenId, address auth) internal override returns (address from) {
        ++nonces[tokenId];
        return super._update(to, tokenId, auth);
    }

    /// @dev The agent whose canonical account this is: read from its code, proved by the agents' token.
    function _agentOf(address account) private view returns (bool isAgent, uint256 agentId) {
        if (account.code.length != PROXY_LENGTH) return (false, 0);
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            extcodecopy(account, pointer, 0x8d, 0x20)
            agentId := mload(pointer)
        }
        isAgent = NFT.accountOf(agentId) == account;
    }
}
