# frozen_string_literal: true

require "json"
require "sinatra/base"
require_relative "lib/staff_auth"

class DnsLookup < Sinatra::Base
  use StaffAuth

  RECORDS = %w[A AAAA MX TXT].freeze

  helpers do
    def dig(name, record)
      command = "dig +short +time=3 #{record} #{name}"
      `#{command}`.lines(chomp: true)
    end
  end

  get "/lookup" do
    content_type :json
    name = params.fetch("name", "").strip
    record = params.fetch("type", "A").upcase
    halt 422, { error: "unknown record type" }.to_json unless RECORDS.include?(record)
    halt 422, { error: "name is missing" }.to_json if name.empty?

    { name: name, type: record, answers: dig(name, record) }.to_json
  end
end
