/**
 * Front door of registers: registers, the sessions of their drawers, all money that a register took or gave (D74), and parked carts.
 * Owns registers, drawer_sessions, drawer_movements, drawer_counts and parked_carts. A drawer has at most one open session; movements are
 * append-only, and their sum is what the drawer should hold. Money belongs to the session that is open when it moves. Registers
 * decides nothing about orders: orders and returns record their payments in their own transactions.
 */

export { correctSaleAtRegister, undoSaleAtRegister } from './change-sale-at-register.ts';
export { holdSession, selectDrawerOpener, selectOpenSession } from './drawer-queries.ts';
export { selectDrawerDifferences, selectForgottenDrawers } from './drawer-session-queries.ts';
export { closeDrawer, moveCash, openDrawer } from './move-drawer.ts';
export { deleteExpiredCarts } from './parked-cart-queries.ts';
export {
  recordAtRegister,
  recordCardMoney,
  recordCashBack,
  type TakenAtRegister,
} from './record-at-register.ts';
export { recordOfflineTakings } from './record-offline-takings.ts';
export { registers, selectRegister, selectRegisters } from './register-setting.ts';
