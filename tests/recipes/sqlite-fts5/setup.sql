CREATE VIRTUAL TABLE docs USING fts5(title, body);
INSERT INTO docs VALUES
 ('a', 'Delivery is one word in this long text, which goes on about parcels, depots, invoices, tickets and much else besides.'),
 ('b', 'Gift wrapping costs two euros.'),
 ('c', 'Delivery by night, delivery by day, delivery at noon.'),
 ('d', 'Delivery within the country takes three days; the delivery is tracked.');
