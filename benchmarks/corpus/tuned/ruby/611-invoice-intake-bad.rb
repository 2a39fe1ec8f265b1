# frozen_string_literal: true

require "bigdecimal"
require "nokogiri"

# Rack endpoint: trading partners post their invoices as XML.
class InvoiceIntake
  MAX_BYTES = 500_000

  def initialize(ledger, partners)
    @ledger = ledger
    @partners = partners
  end

  def call(env)
    partner = @partners.authenticate(env["HTTP_AUTHORIZATION"])
    return answer(401, "unknown partner") unless partner

    document = parse(env["rack.input"].read(MAX_BYTES).to_s)
    number = document.at_xpath("/invoice/number")&.text
    total = document.at_xpath("/invoice/total")&.text
    return answer(422, "number or total is missing") unless number && total

    @ledger.record(partner, number, BigDecimal(total))
    answer(201, "recorded #{number}")
  rescue Nokogiri::XML::SyntaxError, ArgumentError
    answer(422, "not a proper invoice")
  end

  private

  def parse(text)
    Nokogiri::XML(text) { |config| config.strict.noent.dtdload }
  end

  def answer(status, text)
    [status, { "content-type" => "text/plain; charset=utf-8" }, [text]]
  end
end
