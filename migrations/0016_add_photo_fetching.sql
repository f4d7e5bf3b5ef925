-- D46: pictures are fetched from where they were submitted, and then kept here.

alter table product_photos
  -- Where it was submitted, once it is stored here. Null: that is its location still, or staff uploaded it.
  add column source text,
  add column tries integer not null default 0 check (tries >= 0),
  add column last_tried_at timestamptz,
  -- Why the last try failed, in words for staff.
  add column failure text check (char_length(failure) <= 500),
  -- From then on it is tried again only if staff ask for that.
  add column gave_up_at timestamptz;

create index product_photos_not_stored on product_photos (organization_id, id) where location not like '/%';
