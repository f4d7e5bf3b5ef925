-- A start looks at a few documents of each master key that is still needed, however many documents there are.
create index customer_documents_of_master_key on customer_documents (organization_id, master_key_id, id);
