class ReportsController < ApplicationController
  before_action :require_login

  ROOT = Rails.root.join("storage", "reports")

  def show
    path = ROOT.join(params[:year].to_i.to_s, File.basename(params[:name])).expand_path
    return head :not_found unless path.to_s.start_with?("#{ROOT}/") && path.exist?

    send_file path, type: "application/pdf", disposition: "inline"
  end
end
