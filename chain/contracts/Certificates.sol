// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Managed} from "./access/Managed.sol";
import {Roles} from "./access/Roles.sol";
import {IAgentNFT} from "./interfaces/IAgentNFT.sol";
import {ICertificates} from "./interfaces/ICertificates.sol";
import {OwnerSignatures} from "./libraries/OwnerSignatures.sol";

/**
 * @title Certificates of real-world lots
 * @notice Each stands for one serial, so that it can be listed, pledged and settled like
 * any token. No chain knows where a thing lies. A certificate says that its first holder signed to control it, and
 * nothing more.
 *
 * A serial has one live certificate. Whoever controls it retires it. An issuer who finds it wrong marks it void and
 * gives the reason: a void certificate stays with its holder and settles no more, and what was sold stays sold. After
 * either the serial may be certified again, under a new token. Which token that will be is known before it is issued, so that
 * an owner can sign what it is to be used for.
 */
contract Certificates is ICertificates, ERC721, EIP712, Managed, IERC4906 {
    bytes32 private constant TRANSFER_TYPEHASH =
        keccak256("Transfer(uint256 tokenId,address from,address to,uint256 nonce,uint256 deadline)");
    uint256 private constant MAX_SERIAL_LENGTH = 128;
    /// @dev Agents that own agents are followed so far.
    uint256 private constant MAX_DEPTH = 8;
    /// @dev An ERC-6551 proxy: 45 bytes of ERC-1167, then salt, chain, contract and token id.
    uint256 private constant PROXY_LENGTH = 173;

    /// @notice The agents' token.
    IAgentNFT public immutable NFT;
    /// @notice May be approved for a token at its issue, and for no other.
    address public immutable SETTLEMENT;

    /// @notice What metadata URIs begin with; the token id follows.
    string public baseURI;
    /// @dev The live certificate of a serial, by the hash of its key; zero when there is none.
    mapping(bytes32 serialHash => uint256) public certificateOf;
    /// @dev How often a serial was certified.
    mapping(bytes32 serialHash => uint256) public issuedOf;
    /// @dev Moves with the issue, with every transfer and with the end, so that a signature counts once.
    mapping(uint256 tokenId => uint256) public nonces;
    /// @dev Whether an issuer found the certificate wrong.
    mapping(uint256 tokenId => bool) public isVoid;
    /// @inheritdoc ICertificates
    mapping(address holder => uint256) public departuresOf;
    /// @dev Kept after the end: a token never stands for another serial.
    mapping(uint256 tokenId => string) private _serials;

    /// @notice A serial was certified.
    event CertificateIssued(
        uint256 indexed tokenId, bytes32 indexed serialHash, address indexed to, string serial, bool approved
    );
    /// @notice A certificate was ended by who controls it.
    event CertificateRetired(uint256 indexed tokenId, bytes32 indexed serialHash, address indexed by, string reason);
    /// @notice An issuer found a certificate wrong.
    event CertificateVoided(uint256 indexed tokenId, bytes32 indexed serialHash, address indexed by, string reason);

    /// @dev The serial has a live certificate.
    error SerialCertified(bytes32 serialHash, uint256 tokenId);
    /// @dev A serial's key has 1 to 128 bytes.
    error SerialLength(uint256 length);
    /// @dev No certificate has this number, or ever had.
    error NoCertificate(uint256 tokenId);
    /// @dev Neither the holder nor the wallet that controls the holder, nor an issuer.
    error NotController(uint256 tokenId, address caller);
    /// @dev A void certificate goes nowhere, and is not voided twice.
    error CertificateIsVoid(uint256 tokenId);
    /// @dev An issuer who ends another's certificate says why.
    error ReasonMissing(uint256 tokenId);
    /// @dev The signature is not the controlling wallet's over this transfer and the present nonce.
    error BadTransferSignature(uint256 tokenId, address controller);
    /// @dev The signature came after its deadline.
    error TransferExpired(uint256 tokenId, uint256 deadline);
    /// @dev Too many agents own one another to say who controls the certificate.
    error ControllerUnknown(uint256 tokenId);

    /// @param authority the platform's manager
    /// @param nft the agents' token
    /// @param settlement may be approved for a token at its issue
    constructor(address authority, IAgentNFT nft, address settlement)
        ERC721("Safe Handshake Certificate", "LOT")
        EIP712("SafeHandshakeCertificates", "1")
        Managed(authority)
    {
        NFT = nft;
        SETTLEMENT = settlement;
    }

    /**
     * @notice Certifies a serial by its asset key, such as `serial:vin:1HGCM82633A004352`; how it is spelled is the
     * issuer's to hold to. With `approve` the settlement may take this one token, as a holder's own wallet must allow
     * for a sale it has signed; like every approval it ends with the first transfer.
     * @param to the first holder
     * @param serial the serial's asset key
     * @param approve whether the settlement may take it
     * @return tokenId the certificate
     */
    function issue(address to, string calldata serial, bool approve)
        external
        onlyRole(Roles.ISSUER)
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

    /// @notice Ends a certificate: its holder or the wallet that controls the holder burns it, an issuer marks it void.
    /// @param tokenId the certificate
    /// @param reason why; an issuer who is not the holder must say
    function retire(uint256 tokenId, string calldata reason) external {
        address holder = _requireOwned(tokenId);
        // The role first: a certificate may lie where no walk to its controller ends.
        bool voids = msg.sender != holder && _hasRole(Roles.ISSUER, msg.sender);
        bytes32 serialHash = keccak256(bytes(_serials[tokenId]));
        if (voids) {
            if (bytes(reason).length == 0) revert ReasonMissing(tokenId);
            if (isVoid[tokenId]) revert CertificateIsVoid(tokenId);
            isVoid[tokenId] = true;
            ++departuresOf[holder];
            emit CertificateVoided(tokenId, serialHash, msg.sender, reason);
        } else {
            if (msg.sender != holder && msg.sender != controllerOf(tokenId)) {
                revert NotController(tokenId, msg.sender);
            }
            _burn(tokenId);
            emit CertificateRetired(tokenId, serialHash, msg.sender, reason);
        }
        // A void one that is retired leaves the serial to the certificate that came after it.
        if (certificateOf[serialHash] == tokenId) delete certificateOf[serialHash];
    }

    /**
     * @notice Transfers a certificate for whoever controls it, by their EIP-712 signature (a key's, or a contract wallet's
     * by ERC-1271): the holder, or the owner of the agent whose account holds it. Anyone may send it. It names the
     * present holder and the present nonce, so that it ends with any other transfer.
     * @param tokenId the certificate
     * @param to the next holder
     * @param deadline unix seconds after which the signature counts no more
     * @param signature the controlling wallet's
     */
    function transferBySig(uint256 tokenId, address to, uint256 deadline, bytes calldata signature) external {
        if (block.timestamp > deadline) revert TransferExpired(tokenId, deadline);
        address from = _requireOwned(tokenId);
        address controller = controllerOf(tokenId);
        bytes32 digest = _hashTypedDataV4(
            keccak256(abi.encode(TRANSFER_TYPEHASH, tokenId, from, to, nonces[tokenId], deadline))
        );
        if (!OwnerSignatures.isBy(controller, digest, signature)) {
            revert BadTransferSignature(tokenId, controller);
        }
        _transfer(from, to, tokenId);
    }

    /// @notice Where the metadata of all certificates is served.
    /// @param uri what the URIs begin with
    function setBaseURI(string calldata uri) external onlyRole(Roles.ISSUER) {
        baseURI = uri;
        emit BatchMetadataUpdate(0, type(uint256).max);
    }

    /// @notice The number that the next certificate of a serial will have: of the serial and how often it was certified.
    /// @param serialHash the hash of the serial's asset key
    /// @return below 2^128
    function nextCertificateOf(bytes32 serialHash) public view returns (uint256) {
        return uint128(uint256(keccak256(abi.encode(address(this), serialHash, issuedOf[serialHash]))));
    }

    /// @notice The serial's key that a certificate stands for, or stood for before it was retired.
    /// @param tokenId the certificate
    /// @return serial the serial's asset key
    function serialOf(uint256 tokenId) public view returns (string memory serial) {
        serial = _serials[tokenId];
        if (bytes(serial).length == 0) revert NoCertificate(tokenId);
    }

    /// @notice Who controls a live certificate: its holder, or the wallet that owns the agent whose account holds it.
    /// @param tokenId the certificate
    /// @return controller the wallet
    function controllerOf(uint256 tokenId) public view returns (address controller) {
        controller = _requireOwned(tokenId);
        for (uint256 depth; depth < MAX_DEPTH; ++depth) {
            (bool isAgent, uint256 agentId) = _agentOf(controller);
            if (!isAgent) return controller;
            controller = NFT.ownerOf(agentId);
        }
        revert ControllerUnknown(tokenId);
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) public view override(ERC721, IERC165) returns (bool) {
        // ERC-4906 has no functions of its own: its number is fixed by the standard.
        return interfaceId == bytes4(0x49064906) || super.supportsInterface(interfaceId);
    }

    function _baseURI() internal view override returns (string memory) {
        return baseURI;
    }

    /// @dev Counts what leaves a holder: an account learns of it by no other way, and its state must move.
    function _update(address to, uint256 tokenId, address auth) internal override returns (address from) {
        if (to != address(0) && isVoid[tokenId]) revert CertificateIsVoid(tokenId);
        ++nonces[tokenId];
        from = super._update(to, tokenId, auth);
        if (from != address(0) && from.code.length != 0) ++departuresOf[from];
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
