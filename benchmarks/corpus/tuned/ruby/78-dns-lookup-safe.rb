# frozen_string_literal: true

require "json"
require "open3"
require "sinatra/base"
require_relative "lib/staff_auth"

class DnsLookup < Sinatra::Base
  use StaffAuth

  RECORDS = %w[A AAAA MX TXT].freeze
  NAME = /\A[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?\z/i

  helpers do
    def dig(name, record)
      command = ["dig", "+short", "+time=3", record, name]
      output, status = Open3.capture2(*command)
      status.success? ? output.lines(chomp: true) : []
    end
  end

  get "/lookup" do
    content_type :json
    name = params.fetch("name", "").strip
    record = params.fetch("type", "A").upcase
    halt 422, { error: "unknown record type" }.to_json unless RECORDS.include?(record)
    halt 422, { error: "name is not valid" }.to_json unless NAME.match?(name)

    { name: name, type: record, answers: dig(name, record) }.to_json
  end
end
