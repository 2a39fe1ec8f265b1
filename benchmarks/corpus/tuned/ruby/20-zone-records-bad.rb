# frozen_string_literal: true

# Writes the zone file of a customer's domain from the records in the panel.
class ZoneFile
  ADDRESS = /\A\d{1,3}(\.\d{1,3}){3}\z/

  class Rejected < StandardError; end

  def initialize(origin, serial)
    @origin = origin
    @serial = serial
    @records = []
  end

  def add(label, address, ttl: 3600)
    unless label.match?(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
      raise Rejected, "label #{label.inspect} is not valid"
    end
    raise Rejected, "address #{address.inspect} is not valid" unless address.match?(ADDRESS)

    @records << [label, Integer(ttl), address]
    self
  end

  def to_s
    lines = ["$ORIGIN #{@origin}.", "; serial #{@serial}"]
    @records.each do |label, ttl, address|
      lines << format("%<label>s %<ttl>d IN A %<address>s", label: label, ttl: ttl, address: address)
    end
    lines.join("\n") << "\n"
  end
end
