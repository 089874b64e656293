-- Every token that stands or stood for a thing, and every dispute of one, in any spelling of its serial.
create index certificates_of_thing on certificates (claim_key(asset_key));
create index certificate_disputes_of_thing on certificate_disputes (claim_key(asset_key));
