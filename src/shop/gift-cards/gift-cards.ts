/**
 * Front door of gift cards: value that customers have paid for ahead and that a code pays with (D106). Owns gift_cards and
 * gift_card_entries. A balance is the sum of its entries and never below zero; what is taken is taken under the lock of its card, so no
 * cent is spent twice. A card is a tender: selling one is no sale, spending it changes no price and no tax. Codes are kept as digests. It knows
 * nothing of orders: orders and returns take and give value in their own transactions.
 */

export { giveBackToCards, refundToCards, spendGiftCards, takeRefundFromCards } from './spend-gift-cards.ts';
