-- Names of people are compared folded (D85): O'Brien is found as O’Brien and OBRIEN, Łukasz as Lukasz.

-- The same as `foldName` and the suffixes of person-name.ts.
create function person_key(name text) returns text language sql immutable strict parallel safe as $$
  select translate(
    replace(replace(replace(replace(
      regexp_replace(
        lower(translate(
          normalize(regexp_replace(btrim(name), '[\s,]+(jr|sr|junior|senior|ii|iii|iv|2nd|3rd|4th)\.?$', '', 'i'), NFKD),
          -- A database in the locale C has lower-case letters of ASCII only.
          'ÆŒÞẞÐĐØŁĦŦŊАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЈЅҺҮԜԚԀӀΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς',
          'æœþßðđøłħŧŋабвгдежзиклмнопрстуфхцчшщъыьэюяіјѕһүԝԛԁӏαβγδεζηθικλμνξοπρστυφχψωσ')),
        '[\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\s!-/:-@\[-`{-~\u00a0-\u00bf\u02b0-\u02ff\u2000-\u206f\u3000-\u303f\ufe00-\ufe0f\ufeff]', '', 'g'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'ðđøłıħŧŋавсенһіјкморԛѕтуүԝхԁӏαβγεηικμνορτυχ',
    'ddolihtnabcehhijkmopqstyywxdlabyenikmvoptux')
$$;

-- locks: all customers are written once; a hundred thousand take a few seconds.
alter table customers
  add column first_name_folded text collate "C" not null generated always as (person_key(first_name)) stored,
  add column last_name_folded text collate "C" not null generated always as (person_key(last_name)) stored;

-- The name that was left without a profile; older ones keep their key, which searches ask for as well.
create or replace function key_customer_name() returns trigger language plpgsql as $$
begin
  new.customer_name_key := person_key(new.customer_name);
  return new;
end
$$;
