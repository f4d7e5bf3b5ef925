-- expand: every balance fulfils it
alter table loyalty_balances validate constraint loyalty_balances_never_negative;
