"""Actions on Space Stations; Actions on Planets: everything that a player may do there, in any order and number."""

from __future__ import annotations

from .cargo import dump, hand_card, hand_over, switch_off, switch_on
from .improvements import (
    buy_improvement,
    deploy_drones,
    install,
    mend,
    repair,
    repair_improvements,
    sell_improvement,
    store,
)
from .missions import begin_mission, change_missions, claim, deliver, drop_mission
from .recognition import buy_recognition
from .shipyard import trade_in
from .trade import barter, buy, buy_fuel, sell, sell_all, transfer_fuel

TRADING = (buy, sell, sell_all, barter, buy_fuel, transfer_fuel)
IMPROVEMENTS = (buy_improvement, sell_improvement, install, store, repair, repair_improvements)
MISSIONS = (claim, begin_mission, deliver, drop_mission, change_missions)
BETWEEN_SHIPS = (hand_over, hand_card)
ANYWHERE = (dump, switch_on, switch_off, deploy_drones, mend)
"""What can be done in the own turn outside of Planets and Space Stations too."""

MENU = (*TRADING, *IMPROVEMENTS, trade_in, buy_recognition, *MISSIONS, *BETWEEN_SHIPS, *ANYWHERE)
