// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AgentAccount} from "../../AgentAccount.sol";
import {AssetListings} from "../../AssetListings.sol";
import {FeeVault} from "../../FeeVault.sol";
import {Settlement} from "../../Settlement.sol";
import {IERC6551Executable} from "../../interfaces/IERC6551.sol";
import {ISpendPolicy} from "../../interfaces/ISpendPolicy.sol";
import {SpendHistory} from "../../libraries/SpendHistory.sol";
import {Base} from "../Base.sol";
import {CallbackToken, FalseToken, SilentToken} from "../Tokens.sol";

interface Money {
    function balanceOf(address) external view returns (uint256);
    function mint(address, uint256) external;
}

/**
 * @dev A market at random: six agents, of which one holds one that holds a third, deal with one another in four tokens,
 * of 6 and 18 decimals, of which one answers nothing and one false. They sell things and certificates, some void, under
 * four deal ids that all pairs share; what was signed is sent again, twice at once, altered, and on another chain. Each
 * agent and token has caps of another shape. Fees go to one of two vaults in turn, and the treasury takes them out.
 * Written down and judged as in {Handler}, never from the policy's own state.
 */
contract MarketHandler is Base {
    uint256 private constant AGENTS = 6;
    uint256 private constant FALSE = 3; // the token that answers false
    uint256 private constant ELSEWHERE = 84_532;
    address private constant TILL = address(0x7111); // where the treasury takes the fees
    address[4] private PEOPLE = [vm.addr(0xA1), vm.addr(0xA2), vm.addr(0xA3), vm.addr(0xA4)];

    struct Debit {
        uint256 time;
        uint256 amount;
    }

    /// @dev What two keys have signed.
    struct Paper {
        Settlement.Deal deal;
        uint256 seller;
        uint256 buyer;
        uint256 token;
        bytes sellerSignature;
        bytes buyerSignature;
    }

    Party[6] private agents;
    address[4] private tokens;
    uint256[4] private unit = [uint256(1e6), 1e18, 1e6, 1e6];
    Paper[] private papers;
    uint256 private now_ = START;
    uint256 private serials;
    uint256 private immutable HOME = block.chainid;

    mapping(uint256 agent => mapping(uint256 token => Debit[])) private debits;
    mapping(uint256 token => mapping(address holder => uint256)) private owned;
    mapping(address asset => mapping(uint256 tokenId => address)) private holders;
    mapping(bytes32 pairAndId => bool) private settledBefore;
    mapping(bytes32 id => bytes32) private pairOf; // the first that settled under an id
    mapping(uint256 certificate => bool) private isVoid;
    uint256[] private certified;
    FeeVault[2] private vaults;
    uint256 private vaultNow;
    uint256 private vaultFrom; // when the other vault may be taken into use; zero: it is not named

    string public broken;
    mapping(uint256 token => uint256) public settled;
    uint256 public settledByNested;
    uint256 public settledUnderAnothersId;
    uint256 public voidRefused;
    uint256 public replaysRefused;
    uint256 public refusedElsewhere;
    uint256 public twinsSettledOnce;
    uint256 public vaultsChanged;
    uint256 public vaultsRefused;
    mapping(uint256 token => uint256) public feesTaken;
    mapping(bytes4 refusal => uint256) public refusals;

    constructor() {
        deploy();
        vaults = [FeeVault(TREASURY), new FeeVault(address(manager))];
        tokens = [address(usdc), address(new CallbackToken()), address(new SilentToken()), address(new FalseToken())];
        for (uint256 a; a < AGENTS; ++a) {
            agents[a] = party(0xA0 + a, terms(BUY | SELL), capsOf(a));
            owned[0][address(agents[a].account)] = 1_000e6;
            for (uint256 t = 1; t < 4; ++t) _mint(a, t, 1_000 * unit[t]);
        }
        // 3 lies in 2, which lies in 1. Of the two last, strangers to the others, one wallet owns both.
        for (uint256 a; a < AGENTS; ++a) {
            if (a == 2 || a == 3) {
                enter(agents[a], agents[a - 1]);
            } else {
                vm.prank(agents[a].owner);
                nft.transferFrom(agents[a].owner, a < 2 ? PEOPLE[a] : PEOPLE[2], agents[a].id);
            }
            agents[a].keyPk = 0xB0 + a;
            agents[a].key = vm.addr(0xB0 + a);
            require(_asOwner(a, address(policy), abi.encodeCall(policy.grantKey, (agents[a].id, agents[a].key, FAR))));
        }
    }

    // What may happen

    function wait(uint32 gap) external {
        now_ += gap % 8 == 0 ? gap % 9 days : gap % 4 == 1 ? gap % 30 hours : gap % 15 minutes;
    }

    function deposit(uint8 a, uint8 t, uint64 amount) external {
        _mint(a % AGENTS, t % 4, uint256(amount) * unit[t % 4] % (200 * unit[t % 4]));
    }

    function pay(uint8 a, uint8 t, uint64 amount) external {
        vm.warp(now_);
        (uint256 x, uint256 y) = (a % AGENTS, t % 4);
        uint256 sum = uint256(amount) * unit[y] / 1e6 % (60 * unit[y]);
        vm.prank(agents[x].key);
        try agents[x].account.spend(tokens[y], SHOP, sum, "") {
            _debit(x, y, sum);
            _moved(y, address(agents[x].account), SHOP, sum);
        } catch (bytes memory refusal) {
            ++refusals[bytes4(refusal)];
        }
    }

    /// @dev Two keys sign a deal over a new thing, or one dealt before, and somebody sends it.
    function trade(uint8 s, uint8 b, uint8 t, uint8 dice, uint64 price) external {
        vm.warp(now_);
        Paper memory p;
        (p.seller, p.buyer, p.token) = (s % AGENTS, b % AGENTS, t % 4);
        if (p.seller == p.buyer) return;
        (address asset, uint256 id) = _thing(p.seller, dice);
        _list(p.seller, asset, id, tokens[p.token]);
        p.deal = Settlement.Deal({
            dealId: bytes32(uint256(dice % 4 + 1)),
            seller: address(agents[p.seller].account),
            buyer: address(agents[p.buyer].account),
            asset: asset,
            tokenId: id,
            token: tokens[p.token],
            price: uint128(uint256(price) * unit[p.token] / 1e6 % (60 * unit[p.token])),
            category: RWA,
            deadline: uint48(block.timestamp + 1 days),
            state: 0
        });
        bytes32 digest = settlement.hashDeal(p.deal);
        p.sellerSignature = sign(agents[p.seller].keyPk, digest);
        p.buyerSignature = sign(agents[p.buyer].keyPk, digest);
        papers.push(p);
        if (dice % 16 == 15) return; // kept back: sent later, or never
        _send(p, dice % 5 == 0);
    }

    /// @dev An id is somebody else's business: strangers settle junk for one unit under it.
    function squat(uint8 dice) external {
        this.trade(4, 5, 0, dice, 1e6 + 1);
    }

    function sendAgain(uint8 i, bool twice) external {
        if (papers.length == 0) return;
        vm.warp(now_);
        _send(papers[i % papers.length], twice);
    }

    /// @dev What was signed for two is no deal of a third, under the same id.
    function alter(uint8 i, uint8 who) external {
        if (papers.length == 0) return;
        vm.warp(now_);
        Paper memory p = papers[i % papers.length];
        if (who % 3 == 0) (p.deal.buyer, p.buyer) = (address(agents[who % AGENTS].account), who % AGENTS);
        else if (who % 3 == 1) p.deal.price /= 2;
        else p.deal.dealId = bytes32(uint256(p.deal.dealId) + 1);
        if (keccak256(abi.encode(p.deal)) == keccak256(abi.encode(papers[i % papers.length].deal))) return;
        (bool done,) = address(settlement).call(_call(p));
        if (done) broken = "an altered deal settled";
    }

    function voidCertificate(uint8 i) external {
        if (certified.length == 0 || i % 3 != 0) return;
        uint256 id = certified[i % certified.length];
        if (isVoid[id]) return;
        certificates.retire(id, "found wrong");
        isVoid[id] = true;
    }

    /// @dev What lies in a vault is what the notes say, and all of it comes out.
    function takeFees(uint8 t, uint8 v) external {
        vm.warp(now_);
        (uint256 y, FeeVault vault) = (t % 4, vaults[v % 2]);
        uint256 lying = owned[y][address(vault)];
        vm.prank(TREASURER);
        try vault.withdraw(IERC20(tokens[y]), TILL) returns (uint256 amount) {
            if (amount != lying) broken = "a vault gave out more or less than the deals paid it";
            if (amount != 0) ++feesTaken[y];
            _moved(y, address(vault), TILL, amount);
        } catch {
            if (y != FALSE) broken = "a vault kept its fees";
        }
    }

    /// @dev The admin names the other vault, and whoever likes takes it into use, not before its time.
    function turnVault(uint8 dice) external {
        vm.warp(now_);
        if (dice % 4 == 0) {
            settlement.proposeVault(address(vaults[1 - vaultNow]));
            vaultFrom = now_ + 2 days;
            return;
        }
        bool ready = vaultFrom != 0 && now_ >= vaultFrom;
        vm.prank(SHOP);
        (bool done,) = address(settlement).call(abi.encodeCall(settlement.changeVault, ()));
        if (done != ready) broken = "a vault was taken into use too early, or not at all";
        if (!done) {
            ++vaultsRefused;
            return;
        }
        ++vaultsChanged;
        (vaultNow, vaultFrom) = (1 - vaultNow, 0);
    }

    /// @dev The same contracts at the same addresses, on another chain: the owner's door is shut there.
    function openElsewhere(uint8 a) external {
        vm.warp(now_);
        AgentAccount account = agents[a % AGENTS].account;
        address owner = nft.ownerOf(agents[a % AGENTS].id);
        vm.chainId(ELSEWHERE);
        if (account.owner() != address(0)) broken = "somebody owns the account on another chain";
        vm.prank(owner);
        (bool done,) = address(account).call(abi.encodeCall(account.execute, (SHOP, 0, "", 0)));
        if (done) broken = "the owner's door opened on another chain";
        vm.chainId(HOME);
    }

    // What must hold, told from the notes

    /// @dev Nothing was made or lost on the way, in any token, and everybody holds what the notes say.
    function moneyIsWhere() external view returns (bool) {
        for (uint256 t; t < 4; ++t) {
            if (Money(tokens[t]).balanceOf(SHOP) != owned[t][SHOP]) return false;
            if (Money(tokens[t]).balanceOf(TILL) != owned[t][TILL]) return false;
            for (uint256 v; v < 2; ++v) {
                address vault = address(vaults[v]);
                if (Money(tokens[t]).balanceOf(vault) != owned[t][vault]) return false;
            }
            for (uint256 a; a < AGENTS; ++a) {
                address account = address(agents[a].account);
                if (Money(tokens[t]).balanceOf(account) != owned[t][account]) return false;
            }
        }
        return true;
    }

    function capsHold() external view returns (bool) {
        for (uint256 a; a < AGENTS; ++a) {
            for (uint256 t; t < 4; ++t) {
                if (!_capsHold(debits[a][t], capsOf(a)[t])) return false;
            }
        }
        return true;
    }

    function thingsAreWhere() external view returns (bool) {
        for (uint256 i; i < papers.length; ++i) {
            Settlement.Deal memory d = papers[i].deal;
            (bool done, bytes memory holder) =
                d.asset.staticcall(abi.encodeWithSignature("ownerOf(uint256)", d.tokenId));
            if (!done || abi.decode(holder, (address)) != holders[d.asset][d.tokenId]) return false;
        }
        return true;
    }

    // Inside

    /// @dev A shape a pair of agent and token: only a day, a week, a month, or in total too.
    function capsOf(uint256 a) private view returns (ISpendPolicy.TokenCap[] memory c) {
        c = new ISpendPolicy.TokenCap[](4);
        for (uint256 t; t < 4; ++t) {
            uint128 u = uint128(unit[t]);
            uint256 shape = (a + t) % 4;
            c[t] = ISpendPolicy.TokenCap({
                token: tokens[t],
                perDeal: 50 * u,
                dayCap: shape == 0 || shape == 3 ? 70 * u : 0,
                weekCap: shape == 1 || shape == 3 ? 90 * u : 0,
                monthCap: shape == 2 || shape == 3 ? 140 * u : 0,
                totalCap: a % 2 == 1 ? 180 * u : 0,
                minPrice: 0
            });
        }
    }

    function _capsHold(Debit[] memory all, ISpendPolicy.TokenCap memory c) private pure returns (bool) {
        uint256 total;
        for (uint256 i; i < all.length; ++i) {
            (uint256 day, uint256 week, uint256 month) = (0, 0, 0);
            for (uint256 j; j <= i; ++j) {
                if (all[j].time + 1 days > all[i].time) day += all[j].amount;
                if (all[j].time + 7 days > all[i].time) week += all[j].amount;
                if (SpendHistory.nextMonth(all[j].time) == SpendHistory.nextMonth(all[i].time)) month += all[j].amount;
            }
            total += all[i].amount;
            if (all[i].amount > c.perDeal || (c.dayCap != 0 && day > c.dayCap)) return false;
            if ((c.weekCap != 0 && week > c.weekCap) || (c.monthCap != 0 && month > c.monthCap)) return false;
            if (c.totalCap != 0 && total > c.totalCap) return false;
        }
        return true;
    }

    function _thing(uint256 a, uint8 dice) private returns (address asset, uint256 id) {
        address account = address(agents[a].account);
        if (dice % 3 == 0) {
            asset = address(certificates);
            id = certificates.issue(account, string(abi.encodePacked("serial:", ++serials)), false);
            certified.push(id);
            if (dice % 2 == 0) {
                certificates.retire(id, "found wrong");
                isVoid[id] = true;
            }
        } else {
            asset = address(assets);
            id = assets.mint(account);
        }
        holders[asset][id] = account;
    }

    function _send(Paper memory p, bool twice) private {
        bytes32 key = keccak256(abi.encode(p.deal.seller, p.deal.buyer, p.deal.dealId));
        bool before = settledBefore[key];
        _sendElsewhere(p);
        bool done = twice ? _sendTwice(p) : _sendOnce(p, before);
        if (!done) {
            if (isVoid[p.deal.tokenId]) ++voidRefused;
            if (before) ++replaysRefused;
            return;
        }
        if (before) broken = "a pair settled one id twice";
        if (p.deal.asset == address(certificates) && isVoid[p.deal.tokenId]) broken = "a void certificate settled";
        if (p.token == FALSE) broken = "a token that moves nothing settled a deal";
        settledBefore[key] = true;
        if (pairOf[p.deal.dealId] == 0) pairOf[p.deal.dealId] = key;
        else if (pairOf[p.deal.dealId] != key) ++settledUnderAnothersId;
        if (holders[p.deal.asset][p.deal.tokenId] != p.deal.seller) broken = "sold by who did not hold it";
        holders[p.deal.asset][p.deal.tokenId] = p.deal.buyer;
        uint256 fee = uint256(p.deal.price) * 2 / 100;
        _debit(p.buyer, p.token, p.deal.price);
        _moved(p.token, p.deal.buyer, p.deal.seller, p.deal.price - fee);
        _moved(p.token, p.deal.buyer, address(vaults[vaultNow]), fee);
        ++settled[p.token];
        ++refusedElsewhere; // what was good here was refused there just before
        if (p.seller == 3 || p.buyer == 3) ++settledByNested;
    }

    /// @dev Nothing that was signed here counts there.
    function _sendElsewhere(Paper memory p) private {
        vm.chainId(ELSEWHERE);
        (bool done,) = address(settlement).call(_call(p));
        if (done) broken = "a deal of one chain settled on another";
        vm.chainId(HOME);
    }

    function _sendOnce(Paper memory p, bool before) private returns (bool done) {
        bytes memory refusal;
        (done, refusal) = address(settlement).call(_call(p));
        if (!done) ++refusals[bytes4(refusal)];
        if (!done && bytes4(refusal) == Settlement.DealAlreadySettled.selector && !before) {
            broken = "an id was used up by others";
        }
    }

    function _sendTwice(Paper memory p) private returns (bool) {
        Settlement.Signed[] memory twins = new Settlement.Signed[](2);
        twins[0] = Settlement.Signed(
            p.deal, false, agents[p.seller].key, p.sellerSignature, agents[p.buyer].key, p.buyerSignature
        );
        twins[1] = twins[0];
        bool[] memory done = settlement.settleMany(twins);
        if (done[1]) broken = "one of two twins settled late, or both";
        if (done[0]) ++twinsSettledOnce;
        return done[0];
    }

    function _call(Paper memory p) private view returns (bytes memory) {
        return abi.encodeCall(
            settlement.settle,
            (p.deal, agents[p.seller].key, p.sellerSignature, agents[p.buyer].key, p.buyerSignature)
        );
    }

    function _list(uint256 a, address asset, uint256 id, address token) private {
        AssetListings.Lot memory lot = AssetListings.Lot(agents[a].id, asset, id, token, 1);
        require(_asOwner(a, address(policy), abi.encodeCall(policy.list, (lot))), "listed");
    }

    function _mint(uint256 a, uint256 t, uint256 amount) private {
        address account = address(agents[a].account);
        Money(tokens[t]).mint(account, amount);
        owned[t][account] += amount;
    }

    function _debit(uint256 a, uint256 t, uint256 amount) private {
        debits[a][t].push(Debit(block.timestamp, amount));
    }

    function _moved(uint256 t, address from, address to, uint256 amount) private {
        owned[t][from] -= amount;
        owned[t][to] += amount;
    }

    /// @dev Calls as whoever owns the agent: a wallet, or through one account after the other.
    function _asOwner(uint256 a, address to, bytes memory data) private returns (bool done) {
        address owner = nft.ownerOf(agents[a].id);
        if (owner.code.length != 0) {
            return _asOwner(a - 1, owner, abi.encodeCall(IERC6551Executable.execute, (to, 0, data, 0)));
        }
        vm.prank(owner);
        (done,) = to.call(data);
    }
}
