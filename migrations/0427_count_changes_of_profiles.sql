-- Orders show the profile of their customer, so a change of it counts. It counted each change of a customer's row: whoever earned points
-- waited for all others of the organization who did, on its one counter, and no page of orders was kept behind a sale.

-- expand: what the former release shows of a customer is counted as before
drop trigger customers_changed on customers;
create constraint trigger customers_changed
  after delete or update of email, first_name, last_name, phone, hash_id, birthday, sex, zip, license_expiry, medical_expiration on customers
  deferrable initially deferred for each row execute function count_change_of_customers();
