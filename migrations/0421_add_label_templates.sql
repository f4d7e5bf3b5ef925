-- What the labels of the shop say: {exit: {fields, notice}, shelf: {fields, notice}}. Null: every field, without a notice.
alter table shop_profiles add column labels jsonb;
